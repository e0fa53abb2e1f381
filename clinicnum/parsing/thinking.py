"""Separate a reasoning model's thinking from its answer, in the same way for every client.

Thinking is a block at the beginning of the text, from a tag of `KNOWN_TAGS` to its closing tag; users add
tags of their own (`--thinking-tags`). Many chat templates open the block in the prompt, so that the text has
the closing tag only. A block after other words is part of the answer and is left in place.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from clinicnum.errors import InputError

Tags = tuple[tuple[str, str], ...]
"""Pairs of an opening and a closing tag."""
KNOWN_TAGS: Tags = (
    ("<think>", "</think>"),  # DeepSeek-R1, Qwen3, QwQ and most others
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<thoughts>", "</thoughts>"),
    ("<reasoning>", "</reasoning>"),
    ("[THINK]", "[/THINK]"),  # Magistral
    ("<|begin_of_thought|>", "<|end_of_thought|>"),  # Sky-T1, OpenThinker
    ("<|channel>thought", "<channel|>"),  # Gemma 4
    ("<|channel|>analysis<|message|>", "<|start|>assistant<|channel|>final<|message|>"),  # gpt-oss
    ("<|START_THINKING|>", "<|END_THINKING|>"),  # Command A Reasoning
    ("<seed:think>", "</seed:think>"),  # Seed-OSS
    ("◁think▷", "◁/think▷"),  # Kimi
)
"""The tags with which models enclose their thinking, in upper or lower case. Add new models' here."""


def with_tags(written: Sequence[str]) -> Tags:
    """The user's tags, each written "OPEN CLOSE", followed by the known ones.

    Raises InputError unless each consists of two different tags separated by a blank.
    """
    pairs = []
    for one in written:
        pair = one.split()
        if len(pair) != 2 or pair[0].lower() == pair[1].lower():
            raise InputError(
                f"--thinking-tags {one!r}: expected the opening and the closing tag with a blank between, "
                f"such "
                'as "<scratch> </scratch>"'
            )
        pairs.append((pair[0], pair[1]))
    return (*pairs, *KNOWN_TAGS) if pairs else KNOWN_TAGS


class _Patterns:
    """The compiled patterns for a set of thinking tags."""

    def __init__(self, tags: Tags) -> None:
        opening, closing = (sorted({pair[i] for pair in tags}, key=len, reverse=True) for i in (0, 1))
        self.open = re.compile("|".join(map(re.escape, opening)), re.IGNORECASE)
        self.close = re.compile("|".join(map(re.escape, closing)), re.IGNORECASE)
        self._closers = {
            first.lower(): re.compile(
                "|".join(re.escape(pair[1]) for pair in tags if pair[0].lower() == first.lower()),
                re.IGNORECASE,
            )
            for first, _ in tags
        }

    def closer(self, opened: str) -> re.Pattern[str]:
        """The pattern of the closing tag that belongs to an opening tag."""
        return self._closers[opened.lower()]


_BARE_HARMONY = re.compile(r"\s*analysis(?P<thought>.*?)assistantfinal", re.DOTALL)
"""gpt-oss's channels as they read once a decoder has dropped the special tokens between them."""
_BETWEEN_CHANNELS = re.compile(r"assistant(?:analysis|commentary)")

_patterns = lru_cache(maxsize=8)(_Patterns)
_MARKS = ("<", "[", "◁")
"""First characters of all known tags: a text without any of them has no thinking block."""


def split_thinking(text: str, opened: bool = False, tags: Tags = KNOWN_TAGS) -> tuple[str, str | None]:
    """Return the answer and the thinking of a generated text; None where there was no thinking.

    `opened` says that the prompt itself ended inside the block. The answer is always the end of `text`
    (`text.endswith(answer)`), so that offsets shift by `len(text) - len(answer)`; it is `text` itself where
    there is no block, and empty where the block was never closed.
    """
    if not opened and (bare := _BARE_HARMONY.match(text)):
        thought = _BETWEEN_CHANNELS.sub("\n\n", bare["thought"]).strip()
        return text[bare.end() :].lstrip(), thought or None
    if not opened and tags is KNOWN_TAGS and not any(mark in text for mark in _MARKS):
        return text, None
    patterns = _patterns(tags)
    thoughts: list[str] = []
    rest = text
    if opened or _closes_unopened(text, patterns):
        thought, rest = _until_close(text, patterns.close)
        thoughts.append(thought)
    while begins := patterns.open.match(rest, len(rest) - len(rest.lstrip())):
        thought, rest = _until_close(rest[begins.end() :], patterns.closer(begins[0]))
        thoughts.append(thought)
    kept = [thought.strip() for thought in thoughts if thought.strip()]
    return rest, "\n\n".join(kept) or None


def ends_open(prompt: str, tags: Tags = KNOWN_TAGS) -> bool:
    """Whether a prompt ends inside a thinking block, so the model writes only the closing tag."""
    stripped = prompt.rstrip().lower()
    return any(stripped.endswith(first.lower()) for first, _ in tags)


def _closes_unopened(text: str, patterns: _Patterns) -> bool:
    """Whether a closing tag comes before any opening one: the prompt had opened the block."""
    close = patterns.close.search(text)
    return close is not None and not patterns.open.search(text, 0, close.start())


def _until_close(text: str, closer: re.Pattern[str]) -> tuple[str, str]:
    """Split a text at its first closing tag into what precedes and what follows it."""
    close = closer.search(text)
    if close is None:
        return text, ""
    return text[: close.start()], text[close.end() :].lstrip()
