"""Users read string literals (messages, help, reports), README.md, docs/, the other documents of the
tree, schemas and studies; developers read comments. This check fails on the worst phrases that take a
second reading, and names the plain words to write instead.

Comments are checked in all of src and include. Code blocks and `code` in Markdown are not checked.

usage: check_words.py SOURCE_DIR
"""

import re
import sys
from pathlib import Path

# A phrase (a regular expression in which a space is any white space), the plain words for it, and a
# sentence that has the phrase; the test of this check plants each sentence.
PHRASES = (
    # Persons that do not exist.
    (r"nobody|no one", "'no client', 'no process', or 'not'", "nobody said where they go"),
    (r"(some|any)(body|one)", "'another client', 'another process', 'a user'",
     "somebody has it open"),
    (r"whoever", "'if you ...', 'the user who ...'", "whoever names another cluster gets no key"),
    (r"(is|are|was|were) at it", "'is running it'", "another process is at it"),
    (r"(of|is|are|not|none of|like) ours", "'of radosload', 'radosload's'", "it is not ours"),
    (r"(of|by|with) others|others have", "'that radosload did not create', 'other clients'",
     "an image of others has that name"),
    (r"accus(e|es|ed|ing)", "'report as slow'", "before an OSD is accused"),
    (r"pretend(s|ed|ing)?", "'simulate', 'is not supported by'", "cannot pretend 'slow=3:4'"),
    # Results without a name.
    (r"ma(ke|kes|de|king) (no|any|little) sense", "'usage error', 'is invalid'",
     "the words make no sense"),
    (r"(came|comes?|coming) out", "'the result is', 'was met'", "what --fail-if named came out"),
    (r"what [^.;:]{1,60} (come|comes|came) to", "'the total of', 'the value of'",
     "what all of that comes to"),
    (r"all there is|what there is", "'the only copy', 'list them with ...'",
     "what is shown is all there is"),
    (r"nothing is (asked|wanted|said|named)", "'no ... was given'", "nothing is asked for"),
    (r"(is|are|was|were|be|been|it) asked for", "'is requested', 'is given'",
     "more than is asked for"),
    (r"(cannot|could not|can not|not) be told|not told|to(ld|) apart",
     "'inconclusive', 'not identifiable', 'distinguish'", "their effect cannot be told"),
    (r"tell(s|ing)? [^.;:]{1,40} apart", "'compare', 'distinguish'",
     "nothing tells the members apart"),
    (r"(cannot|could not|can not) (say|tell)", "'is unknown'", "the mons cannot say"),
    # Verbs that stand for another verb.
    (r"(go|goes|going|went|gone) on", "'continues', 'runs'", "the run goes on without it"),
    (r"(give|gives|given|giving|gave) way", "'stop', 'yield', 'wait'", "the run gives way to it"),
    (r"look(s|ed|ing)? (whether|if)", "'check whether'", "looking whether an image is there"),
    (r"(says?|said|saying) so", "'reports it', 'names it'", "the cluster says so"),
    (r"(is|are|was|were) said", "'is reported'", "what differs is said"),
    (r"(begin|begins|began) so", "'starts with ...'", "no saved run begins so"),
    (r"(come|comes|came|coming) back", "'is answered', 'returns'", "no write has come back"),
    (r"(end|ends|ended) itself", "'stops'", "the run ended itself"),
    (r"(is|are|was|were) wanted", "'expected ...'", "a whole number is wanted"),
    (r"(is|are) the (most|least)", "'the limit is ...', 'at least ...'", "ten years is the most"),
    (r"shared? out|sharing out", "'divide'", "4 images cannot be shared out among 3"),
    (r"reckon(s|ed|ing)?( with)?", "'assume', 'count', 'the limit is'", "more than is reckoned"),
    (r"(see|sees|saw|seeing) to it", "'ensure', 'fix it'", "see to it before the run"),
    (r"(speak|speaks|spoke|spoken) of", "'describes', 'names'",
     "a file that speaks of this cluster"),
    (r"(lay|lays|laid|laying) out", "'run', 'place'", "cannot lay out the pattern"),
    # Clauses that are turned round.
    (r"(is|are|was|were) to be (\w+ed|\w+n|made|kept|put)", "'must be', 'will be'",
     "what is to be measured"),
    (r"should (it|they|there|one|that)", "'if it ...'", "should it be a pipe"),
    (r"(?<!there\s)(is|are|was) no (?!longer|more|other|such)[a-z]+", "'is not a ...'",
     "it is no regular file"),
    (r"these words|the words (make|are|of the command)", "'these options', 'the command line'",
     "these words make a single run"),
    (r"stands? (where|there|beside)", "'appears', 'is listed'", "it stands where it comes nearest"),
    (r"whatever", "'any', 'regardless of'", "whatever a file cannot mean is an error"),
    (r"(after|for|from|of|than) so (many|long|much)", "a number: 'after N operations'",
     "end after so many operations"),
    (r"by now", "'now', 'since then'", "it is served by osd.3 by now"),
    (r"would be an accident", "'is probably a typo'", "more would be an accident"),
)

COMPILED = tuple((re.compile(r"\b(?:" + phrase.replace(" ", r"\s+") + r")\b", re.IGNORECASE), plain)
                 for phrase, plain, _ in PHRASES)

# Comments and character literals are matched so that quotes in them do not begin a string.
TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      |(?P<include>^[ \t]*\#[ \t]*include[^\n]*)
      |(?P<character>'(?:[^'\\\n]|\\.)')
      |R"(?P<mark>[^(\s]{0,16})\((?P<raw>.*?)\)(?P=mark)"
      |"(?P<text>(?:[^"\\\n]|\\.)*)"
    """, re.DOTALL | re.MULTILINE | re.VERBOSE)
FENCED = re.compile(r"^(?P<fence>```+|~~~+).*?^(?P=fence)[^\n]*$", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"`[^`]*`")
ESCAPE = re.compile(r"\\.")


def literals(source):
    """(line number, text) of every string; neighbours that the compiler joins are one."""
    text, begin, end = "", 0, 0
    for token in TOKEN.finditer(source):
        if token["comment"] is not None or token["include"] is not None or \
                token["character"] is not None:
            continue
        piece = token["raw"] if token["raw"] is not None else ESCAPE.sub(" ", token["text"])
        if text and not source[end:token.start()].strip():
            text += piece
        else:
            if text:
                yield source.count("\n", 0, begin) + 1, text
            text, begin = piece, token.start()
        end = token.end()
    if text:
        yield source.count("\n", 0, begin) + 1, text


def blank(match):
    """As many lines of nothing, so that line numbers stay."""
    return "\n" * match[0].count("\n")


def prose(markdown):
    """(line number, text) of every paragraph, without code."""
    text = CODE.sub(blank, FENCED.sub(blank, markdown))
    line = 1
    for paragraph in re.split(r"(\n[ \t]*\n)", text):
        yield line + len(paragraph) - len(paragraph.lstrip("\n")), paragraph.strip()
        line += paragraph.count("\n")


def comments(source):
    """(line number, text) of every comment; neighbouring lines are one."""
    text, begin, end = "", 0, 0
    for token in TOKEN.finditer(source):
        if token["comment"] is None:
            continue
        alone = not source[source.rfind("\n", 0, token.start()) + 1:token.start()].strip()
        if text and alone and source.count("\n", end, token.start()) == 1 and \
                not source[end:token.start()].strip():
            text += "\n" + token["comment"].strip("/*")
        else:
            if text:
                yield source.count("\n", 0, begin) + 1, text
            text, begin = token["comment"].strip("/*"), token.start()
        end = token.end()
    if text:
        yield source.count("\n", 0, begin) + 1, text


def complaints(where, pieces):
    for line, text in pieces:
        for phrase, plain in COMPILED:
            for found in phrase.finditer(text):
                said = " ".join(found[0].split())
                yield f"{where}:{line + text.count(chr(10), 0, found.start())}: " \
                      f"'{said}': write {plain}"


def sources(root):
    for folder in ("src", "include"):
        yield from sorted(path for path in (root / folder).rglob("*")
                          if path.suffix in (".cc", ".h"))


def documents(root):
    named = [root / name for name in ("README.md", "ARCHITECTURE.md", "CHANGELOG.md", "tests/PROMISES.md")]
    yield from (path for path in [*named, *sorted((root / "docs").rglob("*.md"))] if path.is_file())


def described(root):
    """Files whose whole text is for readers: descriptions in schemas, comments in studies."""
    yield from sorted((root / "schema").glob("*.json"))
    yield from sorted((root / "studies").glob("*.yaml"))


def check(root):
    for path in sources(root):
        text, where = path.read_text(encoding="utf-8"), path.relative_to(root)
        yield from complaints(where, literals(text))
        yield from complaints(where, comments(text))
    for path in documents(root):
        yield from complaints(path.relative_to(root), prose(path.read_text(encoding="utf-8")))
    for path in described(root):
        yield from complaints(path.relative_to(root), [(1, path.read_text(encoding="utf-8"))])


def main(source):
    root = Path(source)
    found = list(check(root))
    for complaint in found:
        print(complaint)
    files = sum(len(list(part(root))) for part in (sources, documents, described))
    print(f"words: {files} files, complaints: {len(found)}")
    return 1 if found else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
