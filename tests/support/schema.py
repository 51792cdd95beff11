"""Checks documents of radosload against the JSON Schemas that it ships. As a program it takes files
and prints what is wrong with them; the test programs call it for every document that they get."""

import json
import sys
from pathlib import Path

from jsonschema import Draft202012Validator

FOLDER = Path(__file__).resolve().parents[2] / "schema"
# Of longer lists only both ends are checked: a timeline may have thousands of rows.
LONGEST = 40


def schemas():
    """By the name in a document's `schema` key; the plan of a run has none of its own."""
    return {path.stem: json.loads(path.read_text(encoding="utf-8"))
            for path in sorted(FOLDER.glob("*.json"))}


def uri(name):
    return f"{FOLDER.as_uri()}/{name}.json"


def validator(name):
    root = {"$ref": uri(name)}
    try:
        from referencing import Registry, Resource
        from referencing.jsonschema import DRAFT202012
    except ImportError:  # jsonschema before 4.18
        from jsonschema import RefResolver
        store = {uri(each): schema for each, schema in schemas().items()}
        return Draft202012Validator(root, resolver=RefResolver("", root, store=store))
    registry = Registry().with_resources(
        (uri(each), Resource(schema, DRAFT202012)) for each, schema in schemas().items())
    return Draft202012Validator(root, registry=registry)


def shortened(value):
    if isinstance(value, dict):
        return {key: shortened(member) for key, member in value.items()}
    if isinstance(value, list):
        ends = value if len(value) <= LONGEST else value[:LONGEST // 2] + value[-LONGEST // 2:]
        return [shortened(member) for member in ends]
    return value


def kind_of(document):
    """run of radosload.run/1"""
    kind, _, version = document.get("schema", "").partition("/")
    prefix = "radosload."
    if not kind.startswith(prefix) or version != "1":
        return None
    return kind[len(prefix):]


def problems(document):
    kind = kind_of(document)
    if kind is None or not (FOLDER / f"{kind}.json").exists():
        return [f"there is no schema for {document.get('schema')!r}"]
    found = []
    for error in validator(kind).iter_errors(shortened(document)):
        place = "/".join(str(part) for part in error.absolute_path)
        found.append(f"{kind}: {place or 'the document'}: {error.message[:300]}")
    return found


def main(files):
    wrong = 0
    for file in files:
        try:
            found = problems(json.loads(Path(file).read_text(encoding="utf-8")))
        except ValueError as error:
            found = [f"not JSON: {error}"]
        wrong += len(found)
        for line in found[:20]:
            print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
