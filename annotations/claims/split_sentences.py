"""Cut a text into the sentences that are judged one by one; each is a range of the text's characters.

A line is cut after a full stop, a question or an exclamation mark that is followed by a blank and no
lower-case letter. What keeps a full stop from ending a sentence stands below: abbreviations, titles,
initials, dotted units such as `b.p.m.` before a number. Decimals have no blank after their stop. A line that
begins in lower case goes on with the one before. Signs of lists and headings are left out; a heading, or a
line that ends in a colon, goes with what it leads to. What holds neither letter nor digit is no sentence.

No library is used: the one that is still maintained (sentencex 1.0) cut after `Temp.` and not at all after a
numbered list. Besides, verdicts belong to the sentences as cut, so the cut must not change with a library's
version.
"""

import re
from collections.abc import Iterator, Sequence

MOST_SENTENCES = 100
"""Most sentences of one text; the last one holds the rest, as in a text that repeats itself without end."""
Span = tuple[int, int]
"""The first character, and the one after the last."""

_LINE = re.compile(r"[^\n\r]+")
_LIST_SIGN = re.compile(
    r"[\s>]*(?:(?:[-*+•·▪◦‣–—]|#{1,6}|\(?(?:[0-9]{1,3}|[a-zA-Z])\)|[0-9]{1,3}\.)(?:\s+|\Z))?"
)
_ENDS_A_LINE = (".", "!", "?", ":", ";", "|")
_END = re.compile(
    r"(?<![.!?…])(?P<mark>[.!?…]++)[\"'”’»)\]*_]*+(?:\[[0-9, –-]{1,20}\])*+(?P<blank>\s++)(?=\S)"
    r"|(?<![。！？])[。！？]++[”’」』）]*+(?=\S)"
)
_WORD = re.compile(r"[^\s(\[{\"'“‘«/]+\Z")
_LONGEST_WORD = 60
_NEVER_LAST = re.compile(
    r"e\.?g|i\.?e|vs|cf|ca|approx|(?:d|m)rs?|ms|prof|st|figs?|eq|viz|incl|resp"
    r"|z\.b|d\.h|u\.a|bzw|vgl|ggf|evtl|s\.[ou]|inkl|nr|abb",
    re.IGNORECASE,
)
"""Words, without their last stop, after which a sentence goes on."""
_BEFORE_A_NUMBER = re.compile(
    r"nos?|pp?|vol|ch|sec|min|max|avg|temp|wt|ht|bp|hr|rr|sat|tbl|tab|inj|cap|est|art|ver|refs?",
    re.IGNORECASE,
)
"""Words that are shortened before a number; elsewhere they may end a sentence."""
_BEFORE_AN_INITIAL = re.compile(r"(?:dr|mr|mrs|ms|prof|st|[a-z])\.", re.IGNORECASE)
_BOLD = re.compile(r"(\*\*|__)[^*_]+\1:?\Z")


def sentences(text: str) -> tuple[Span, ...]:
    """The sentences of a text in their order; none overlaps another. The same text is always cut alike."""
    pieces = [piece for line in _lines(text) for piece in _cut(text, line)]
    found = list(_after_headings(text, pieces))
    if len(found) > MOST_SENTENCES:
        found[MOST_SENTENCES - 1 :] = [(found[MOST_SENTENCES - 1][0], found[-1][1])]
    return tuple(found)


def _lines(text: str) -> Iterator[Span]:
    """The lines of a text, each joined with those that continue its sentence; blank lines are left out."""
    start, end = 0, 0
    for line in _LINE.finditer(text):
        if line.group().isspace():
            continue
        if not _goes_on(text[start:end], text[end : line.start()], line.group()):
            if end:
                yield start, end
            start = line.start()
        end = line.end()
    if end:
        yield start, end


def _goes_on(before: str, between: str, line: str) -> bool:
    """Whether a line continues the sentence of the line before it."""
    sign = _LIST_SIGN.match(line)
    is_item = sign is not None and bool(sign.group().strip())
    open_ = bool(before) and not before[-_LONGEST_WORD:].rstrip(" \t*_").endswith(_ENDS_A_LINE)
    return open_ and between.count("\n") < 2 and not is_item and line.lstrip()[:1].islower()


def _cut(text: str, line: Span) -> Iterator[Span]:
    """The sentences of one line, without blanks around them and without the sign of a list before them."""
    sign = _LIST_SIGN.match(text, *line)
    start = line[0] if sign is None else sign.end()
    for found in _END.finditer(text, start, line[1]):
        if found["blank"] is None or _ends(text, start, found):
            yield from _trimmed(text, start, found.end())
            start = found.end()
    yield from _trimmed(text, start, line[1])


def _ends(text: str, start: int, found: re.Match[str]) -> bool:
    """Whether a sentence that began at `start` ends with this mark before a blank."""
    following = text[found.end() : found.end() + 9].lstrip("\"'“‘«([*_")[:1]
    if following.islower():
        return False
    before = text[max(start, found.start() - _LONGEST_WORD) : found.start()]
    return found["mark"] != "." or not _is_shortened(before, following)


def _is_shortened(before: str, following: str) -> bool:
    """Whether the word before a single full stop is shortened, so that its sentence goes on."""
    word = _WORD.search(before)
    if word is None:
        return False
    name, ahead = word.group(), before[: word.start()].split()
    if _NEVER_LAST.fullmatch(name):
        return True
    if following.isdigit():
        return bool(_BEFORE_A_NUMBER.fullmatch(name)) or "." in name.strip("0123456789.,")
    # "p. o.", unlike "3 h.", or an initial, unlike the last word in "hepatitis B.".
    before_it = ahead[-1] if ahead else ""
    letter = name.islower() and not before_it[-1:].isdigit()
    initial = name.isupper() and (not ahead or bool(_BEFORE_AN_INITIAL.fullmatch(before_it)))
    return len(name) == 1 and (letter or initial)


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    """The range without blanks at its ends; nothing where it has neither letter nor digit."""
    piece = text[start:end]
    if any(map(str.isalnum, piece)):
        yield start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def _after_headings(text: str, pieces: Sequence[Span]) -> Iterator[Span]:
    """Each piece with the headings before it; headings that nothing follows are one piece."""
    since: int | None = None
    for at, (start, end) in enumerate(pieces):
        if at + 1 < len(pieces) and _leads_on(text, start, end):
            since = start if since is None else since
        else:
            yield (start if since is None else since), end
            since = None


def _leads_on(text: str, start: int, end: int) -> bool:
    """Whether this piece introduces the next one: it is a heading, or ends in a colon."""
    piece = text[start:end]
    ruled = text[max(0, start - 8) : start].rstrip(" \t").endswith("#")
    return ruled or piece.rstrip("*_ ").endswith(":") or bool(_BOLD.match(piece))
