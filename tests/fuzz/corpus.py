"""The inputs of a fuzz target. Those to which a person gave a name are files in corpus/TARGET; those
that libFuzzer found, which it names after their SHA-1, are packed in corpus/TARGET.tar.xz.

usage: corpus.py [--corpus DIR] unpack TARGET FOLDER
       corpus.py [--corpus DIR] pack TARGET FOLDER
       corpus.py [--corpus DIR] replay TARGET FOLDER PROGRAM

unpack  replaces FOLDER by one that holds all inputs of the target
pack    writes the inputs of FOLDER that libFuzzer named to the archive
replay  unpacks, then runs PROGRAM on FOLDER; it fails unless PROGRAM runs every input
Exit status: 0 done, 1 failed, 2 usage; replay: that of PROGRAM.
"""

import argparse
import hashlib
import io
import lzma
import os
import re
import shutil
import sys
import tarfile
from pathlib import Path

CORPUS = Path(__file__).resolve().parent / "corpus"
FOUND = re.compile(r"[0-9a-f]{40}")


class Broken(Exception):
    """Says what failed, why, and what to do."""


def contents(folder):
    """Name and bytes of every file in the folder."""
    if not folder.is_dir():
        return {}
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def found_by_libfuzzer(name, data):
    return FOUND.fullmatch(name) and hashlib.sha1(data).hexdigest() == name


def tar_of(inputs):
    """The same bytes for the same inputs, whoever packs them and when."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name in sorted(inputs):
            member = tarfile.TarInfo(name)  # mode 0644, user and group 0, time 0
            member.size = len(inputs[name])
            tar.addfile(member, io.BytesIO(inputs[name]))
    return packed.getvalue()


def read_archive(archive):
    try:
        unpacked = io.BytesIO(lzma.decompress(archive.read_bytes()))
        with tarfile.open(fileobj=unpacked, mode="r:") as tar:
            inputs = {member.name: tar.extractfile(member).read() for member in tar if member.isfile()}
            others = [member.name for member in tar if not member.isfile()]
    except (OSError, EOFError, lzma.LZMAError, tarfile.TarError) as error:
        raise Broken(f"cannot read {archive}: {error}; restore it with git, or write it with "
                     "'corpus.py pack'") from error
    others += [name for name, data in inputs.items() if not found_by_libfuzzer(name, data)]
    if others:
        raise Broken(f"{archive} holds '{others[0]}', which is no file named after its SHA-1; "
                     "an input with another name belongs in the folder beside the archive")
    if not inputs:
        raise Broken(f"{archive} holds no inputs; restore it with git")
    return inputs


def holds_exactly(archive, inputs):
    try:
        return read_archive(archive) == inputs
    except Broken:
        return False


def unpack(corpus, target, folder):
    """Returns how many inputs the folder holds now."""
    inputs = {**contents(corpus / target), **read_archive(corpus / f"{target}.tar.xz")}
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    for name, data in inputs.items():
        (folder / name).write_bytes(data)
    return len(inputs)


def pack(corpus, target, folder):
    """Returns how many inputs the archive holds now."""
    inputs = {name: data for name, data in contents(folder).items()
              if found_by_libfuzzer(name, data)}
    if not inputs:
        raise Broken(f"cannot pack {folder}: it holds no file named after its SHA-1")
    archive = corpus / f"{target}.tar.xz"
    # Another release of xz may compress differently, which is no reason to commit the archive again.
    if not holds_exactly(archive, inputs):
        new = archive.with_suffix(".new")
        new.write_bytes(lzma.compress(tar_of(inputs), preset=9 | lzma.PRESET_EXTREME))
        new.replace(archive)
    return len(inputs)


def main(words):
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2])
    parser.add_argument("--corpus", type=Path, default=CORPUS)
    parser.add_argument("command", choices=("unpack", "pack", "replay"))
    parser.add_argument("target")
    parser.add_argument("folder", type=Path)
    parser.add_argument("program", nargs="?")
    given = parser.parse_args(words)
    if (given.command == "replay") != (given.program is not None):
        parser.error("replay takes a program, pack and unpack take none")
    run = pack if given.command == "pack" else unpack
    try:
        count = run(given.corpus, given.target, given.folder)
    except Broken as error:
        sys.exit(f"corpus.py: {error}")
    print(f"{given.target}: {count} inputs", flush=True)
    if given.command == "replay":
        os.execv(given.program, [given.program, str(count), given.folder])


if __name__ == "__main__":
    main(sys.argv[1:])
