"""Where a reasoning model's thinking ends and its answer begins, for every client alike.

Thinking is a block that opens the text: `<think>`, `<thinking>` or `[THINK]` up to its closing tag. Many
chat templates open the block in the prompt, so that the text holds the closing tag alone. A block that stands
after other words is left where it is: there it is what the model said, not how it got there.
"""

import re

_OPEN = re.compile(r"\s*(?:<(think|thinking)>|\[(THINK)\])")
_CLOSE = re.compile(r"</(think|thinking)>|\[/(THINK)\]")


def split_thinking(text: str, opened: bool = False) -> tuple[str, str | None]:
    """Return the answer and the thinking of a generated text; None where there was no thinking.

    `opened` says that the prompt itself ended inside the block. The answer is always the end of `text`
    (`text.endswith(answer)`), so that offsets shift by `len(text) - len(answer)`; it is `text` itself where
    there is no block, and empty where the block was never closed.
    """
    thoughts: list[str] = []
    rest = text
    if opened or _closes_unopened(text):
        thought, rest = _until_close(text)
        thoughts.append(thought)
    while begins := _OPEN.match(rest):
        thought, rest = _until_close(rest[begins.end() :])
        thoughts.append(thought)
    kept = [thought.strip() for thought in thoughts if thought.strip()]
    return rest, "\n\n".join(kept) or None


def _closes_unopened(text: str) -> bool:
    """Whether a closing tag comes before any opening one: the prompt had opened the block."""
    close = _CLOSE.search(text)
    return close is not None and not re.search(r"<(?:think|thinking)>|\[THINK\]", text[: close.start()])


def _until_close(text: str) -> tuple[str, str]:
    """What stands before the first closing tag, and what after it, without the blanks between."""
    close = _CLOSE.search(text)
    if close is None:
        return text, ""
    return text[: close.start()], text[close.end() :].lstrip()
