"""The verdicts that may be given on a sentence of an answer or of its reference in a claims study
(`docs/claims.md`).
"""

from collections.abc import Mapping
from typing import Annotated, Literal, get_args

from pydantic import Field

from clinicnum.annotations.judgement_field_definition import Option
from clinicnum.translatable_text import Translatable

ClaimVerdict = Literal[
    "supported",
    "contradicted:none",
    "contradicted:minor",
    "contradicted:major",
    "not_addressed:none",
    "not_addressed:minor",
    "not_addressed:major",
    "stated",
    "omitted:none",
    "omitted:minor",
    "omitted:major",
]
"""Of a sentence of the answer: supported, contradicted or not addressed by the item's text; of one of the
reference: stated in the answer or omitted. After the colon, the harm if somebody acts on the answer.
"""
CLAIM_VERDICTS: tuple[ClaimVerdict, ...] = get_args(ClaimVerdict)
CLAIM_KEY = r"^[ar](0|[1-9][0-9]{0,8})-[1-9][0-9]{0,8}$"
"""Pattern of a sentence's key: answer (a) or reference (r), and its range of characters, as in `a0-57`."""
MOST_CLAIMS = 200
"""Most sentences of an answer and its reference together."""
Claims = Annotated[
    dict[Annotated[str, Field(pattern=CLAIM_KEY)], ClaimVerdict], Field(max_length=MOST_CLAIMS)
]
OF_ANSWER = (
    Option("supported", Translatable("Supported"), "1"),
    Option("contradicted", Translatable("Contradicted"), "2"),
    Option("not_addressed", Translatable("Not addressed"), "3"),
)
OF_REFERENCE = (
    Option("stated", Translatable("Stated"), "1"),
    Option("omitted", Translatable("Omitted"), "2"),
)
HARMS = (
    Option("none", Translatable("No harm"), "7"),
    Option("minor", Translatable("Minor harm"), "8"),
    Option("major", Translatable("Major harm"), "9"),
)
"""Grades of harm, asked of each sentence that is contradicted, not addressed or omitted."""
CLAIM_BACK_KEY = "0"


def on_the_answer(claims: Mapping[str, ClaimVerdict]) -> dict[str, ClaimVerdict]:
    """The verdicts on the answer's sentences, without those on the reference."""
    return {key: verdict for key, verdict in claims.items() if key.startswith("a")}


def parts_of(verdict: str) -> tuple[str, str | None]:
    """The verdict proper and the harm in a stored verdict such as `contradicted:major`; the harm is None if
    none is stated.
    """
    said, _, harm = verdict.partition(":")
    return said, harm or None


def claims_text(claims: Mapping[str, ClaimVerdict]) -> str:
    """How many sentences have each verdict, in words: `2 supported, 1 contradicted (major harm)`."""
    given = list(claims.values())
    return ", ".join(
        f"{given.count(verdict)} {said.replace('_', ' ')}"
        + (f" ({harm.replace('none', 'no')} harm)" if harm else "")
        for verdict in CLAIM_VERDICTS
        if verdict in given
        for said, harm in (parts_of(verdict),)
    )
