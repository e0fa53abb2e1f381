"""Cut a text where it continues after its own answer, with an invented question or another chat turn."""

import re
from collections.abc import Iterator

from clinicnum.parsing.question_overlap import share_said

_LOOKED_AT = 1_000
"""Characters of a further question compared with the one asked."""
_ASKED_AGAIN = 0.5
"""Share of the question's words from which a further question counts as the same."""
_RELATED = 0.2
"""Share of the question's words from which a paragraph may still be about the question."""
_ASKS_FOR_VALUE = re.compile(r"\b(?:how (?:many|much|long|far|old)|what|which)\b", re.IGNORECASE)
_NEXT_TURN = re.compile(
    r"\n[ \t]{0,9}(?:#{1,6}\s*|\*\*)?"
    r"(?:(?:q|question|problem|user|human|instruction|exercise|frage|aufgabe|pregunta|pergunta|domanda"
    r"|вопрос|soal|pertanyaan|câu hỏi|问题|問題)\b[^\n:：]{0,12}[:：]"
    r"|\[(?:q|question|problem|user|human|instruction|exercise|inst)\])",
    re.IGNORECASE,
)
_NEXT_OR_CHAT = re.compile(
    rf"{_NEXT_TURN.pattern}|<\|(?:user|im_start)\|>|<start_of_turn>user", _NEXT_TURN.flags
)
_RESPONSE = re.compile(r"^#{2,4} ?(?:response|assistant):?[ \t]*$", re.IGNORECASE | re.MULTILINE)
_ASKS = re.compile(r"(?:^|(?<=[\n.!?:\]})。！？：]))(?P<asks>[^\n.!?。！？]{12,})[?？]")
_NUMBER = re.compile(r"[0-9]+")
_DOUBTS = re.compile(
    r"\b(?:wait|hold on|hmm|actually|check|verify|sure|correct|right|mistake|wrong)\b"
    r"|(?:[.!?:\n]|^)\W*(?:is|are|was|were|do|does|did|can|could|would|will|should|has|have|may|but|or)\b",
    re.IGNORECASE,
)
"""Questions with which a text checks its own answer or offers help: these are not new questions."""


def own_parts(text: str, asked: str) -> Iterator[str]:
    """Yield `text` up to the first question that the model invented; then all of it, if that question repeats
    the one asked.
    """
    label = _labelled_question(text)
    own = text if label is None else text[:label]
    yield own[: _posed_question(own, asked)]
    if label is not None and share_said(text[label : label + _LOOKED_AT], asked) >= _ASKED_AGAIN:
        yield text


def _labelled_question(text: str) -> int | None:
    """The offset of a further question under a label such as "Question:"; None if there is none."""
    matches = (_NEXT_OR_CHAT if "<" in text else _NEXT_TURN).finditer(text)
    return next((one.start() for one in matches if any(map(str.isalnum, text[: one.start()]))), None)


def _posed_question(text: str, asked: str) -> int | None:
    """The offset of a paragraph that poses a new question, recognised by its numbers; None if there is none.

    It must have at least two numbers, and numbers must come before it. Either most of its numbers are new,
    or one is new and its words differ from those of the question.
    """
    for match in _ASKS.finditer(text) if "?" in text else ():
        begin = text.rfind("\n\n", 0, match.start("asks"))
        paragraph = text[max(begin, 0) : match.end()]
        posed = set(_NUMBER.findall(paragraph))
        before = _NUMBER.findall(text, 0, max(begin, 0))
        new = posed.difference(before, _NUMBER.findall(asked))
        if not before or not new or len(posed) < 2:
            continue
        mostly_new = len(new) > 1 and len(new) > len(posed) / 2
        unrelated = _ASKS_FOR_VALUE.search(match["asks"]) and share_said(paragraph, asked) < _RELATED
        if mostly_new or unrelated:
            return begin
    return None


def question_after(text: str, answered: int) -> int | None:
    """The offset of the first question, after the offset `answered`, that asks for something new.

    None if there is none, or if the text doubts its own answer.
    """
    for match in _ASKS.finditer(text, answered):
        if not _DOUBTS.search(text, answered, match.end()):
            return match.start("asks")
    return None


def after_prompt(text: str) -> str:
    """What follows the heading "### Response:" of a repeated prompt; the whole text if there is none."""
    return _RESPONSE.split(text, maxsplit=1)[-1] if "##" in text else text
