"""Texts that try to run in a page, dealt into fields so that one that runs tells which it is and where."""

import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

PLACE = "@@"
"""Stands for the number under which a payload was dealt."""
HOST = "canary.invalid"
"""No request to it may be made, nor tried."""


@dataclass(frozen=True)
class Payload:
    """One text, and the place in a page from which it would run if nobody escaped it."""

    family: str
    context: str
    text: str

    def numbered(self, number: int) -> str:
        return self.text.replace(PLACE, str(number))


@cache
def corpus() -> tuple[Payload, ...]:
    """All payloads, in the order of the file."""
    told = json.loads(Path(__file__).with_name("payloads.json").read_text(encoding="utf-8"))
    return tuple(
        Payload(one["family"], one["context"], text) for one in told["families"] for text in one["payloads"]
    )


@dataclass
class Dealer:
    """Deals payloads into fields; each field goes on where it stopped, so that all get into it in the end."""

    given: dict[int, tuple[str, Payload]] = field(default_factory=dict)
    """Number -> field and payload."""
    dealt: dict[str, set[Payload]] = field(default_factory=dict)
    """Field -> what has been in it."""
    unfit: dict[str, set[Payload]] = field(default_factory=dict)
    """Field -> what is too long for it, or holds what it cannot."""
    _next: dict[str, int] = field(default_factory=dict)

    def all(self, name: str) -> str:
        """Every payload, for a field without a limit."""
        return self.some(name, len(corpus()), most=10_000_000)

    def some(self, name: str, wanted: int, *, most: int, joined: str = "\n", line: bool = False) -> str:
        """The next `wanted` payloads of a field, as many as go into `most` characters.

        `line`: the field holds printable characters only.
        """
        start = self._next.setdefault(name, 7 * len(self._next) % len(corpus()))
        chosen: list[str] = []
        room, looked = most, 0
        while len(chosen) < wanted and looked < len(corpus()):
            payload = corpus()[(start + looked) % len(corpus())]
            number = len(self.given)
            text = payload.numbered(number).strip() if line else payload.numbered(number)
            if (line and not text.isprintable()) or len(text) > most:
                self.unfit.setdefault(name, set()).add(payload)
            elif len(text) > room:
                break
            else:
                self.given[number] = (name, payload)
                self.dealt.setdefault(name, set()).add(payload)
                chosen.append(text)
                room -= len(text) + len(joined)
            looked += 1
        self._next[name] = (start + looked) % len(corpus())
        return joined.join(chosen)

    def one(self, name: str, *, most: int) -> str:
        """The next payload of a field of one line."""
        return self.some(name, 1, most=most, line=True).strip()

    def told(self, number: int) -> str:
        """Which payload, and in which field."""
        if number not in self.given:
            return "without its number"
        name, payload = self.given[number]
        return f"{name}: {payload.family}: {payload.text!r}"

    def whole(self) -> set[str]:
        """Fields through which all payloads that fit have gone."""
        return {
            name
            for name, seen in self.dealt.items()
            if len(seen | self.unfit.get(name, set())) == len(corpus())
        }
