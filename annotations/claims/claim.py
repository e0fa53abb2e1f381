"""The claims of an answer: its sentences, and those of the item's reference, each with its characters."""

from collections.abc import Collection, Sequence
from typing import Literal

from clinicnum.annotations.claim_verdict import OF_ANSWER, OF_REFERENCE, parts_of
from clinicnum.annotations.claims.split_sentences import sentences
from clinicnum.annotations.judgement import Judgement
from clinicnum.errors import InputError
from clinicnum.parsing.thinking import split_thinking
from clinicnum.types import Frozen, Instance

Part = Literal["answer", "reference"]
_SAID = {
    "answer": tuple(str(one.value) for one in OF_ANSWER),
    "reference": tuple(str(one.value) for one in OF_REFERENCE),
}


class Claim(Frozen):
    """One sentence, by the characters that it takes in its text."""

    part: Part
    start: int
    end: int

    @property
    def key(self) -> str:
        """The key of its verdict in a judgement: its position in the text, so that it stays readable if texts
        are cut differently one day.
        """
        return f"{self.part[0]}{self.start}-{self.end}"


def claim_of_key(key: str) -> Claim:
    """The claim whose key this is."""
    start, _, end = key[1:].partition("-")
    return Claim(part="answer" if key[0] == "a" else "reference", start=int(start), end=int(end))


def claims_of_answer(text: str) -> tuple[Claim, ...]:
    """The sentences of a generation's text; thinking before the answer is not part of it."""
    answer, _ = split_thinking(text)
    shift = len(text) - len(answer)
    return tuple(
        Claim(part="answer", start=start + shift, end=end + shift) for start, end in sentences(answer)
    )


def claims_of_reference(instance: Instance) -> tuple[Claim, ...]:
    """The sentences of the gold answer; none where there is none, or where it is the letter of an option."""
    text = "" if instance.options else instance.answer or ""
    return tuple(Claim(part="reference", start=start, end=end) for start, end in sentences(text))


def is_complete(keys: Collection[str], instance: Instance) -> bool:
    """Whether a judgement with verdicts under these keys is complete.

    It is not if the item's reference has sentences and only the verdicts on the answer are there.
    """
    return any(key.startswith("r") for key in keys) or not claims_of_reference(instance)


def check_claims(judgement: Judgement, claims: Sequence[Claim]) -> None:
    """Raise InputError unless exactly these claims have a verdict, and each verdict is one for the part to
    which its claim belongs: the answer or the reference.
    """
    parts = {one.key: one.part for one in claims}
    other = next((key for key in judgement.claims if key not in parts), None)
    if other is not None:
        raise InputError(
            "{key!r} is no sentence that is asked about now. Nothing was saved: reload the page and look at "
            "the sentences again",
            key=other,
        )
    for key, verdict in judgement.claims.items():
        if parts_of(verdict)[0] not in _SAID[parts[key]]:
            raise InputError(
                "{verdict!r} cannot be said of sentence {key}; expected one of {expected}",
                verdict=verdict,
                key=key,
                expected=", ".join(_SAID[parts[key]]),
            )
    if len(judgement.claims) < len(parts):
        raise InputError(
            "{n} of {all} sentences are not judged yet; say of each what holds.",
            n=len(parts) - len(judgement.claims),
            all=len(parts),
        )
