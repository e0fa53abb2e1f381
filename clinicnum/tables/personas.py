"""Accuracy and calibration by persona: who the model is told to be, and how it is to write.

Each persona is compared with the default prompt on the same questions. Rows for a role, a style, or medical
and other roles pool the answers of all their personas; one question may then count several times.
"""

from collections.abc import Iterable, Sequence

from clinicnum.prompt import MEDICAL_ROLES
from clinicnum.robustness.run_answers_and_pairs import Answer, Pair, Run, pairs_of
from clinicnum.stats.interval_estimate import Figure, mean_difference, share
from clinicnum.tables.paper_table import (
    ALL,
    MODEL,
    PAIRED_NOTE,
    TWO_WAY_NOTE,
    Measure,
    PaperTable,
    Row,
    accuracy,
    each_run,
    paired_difference,
    table,
)

PERSONA = "prompt.persona."
MEDICAL, OTHER = "medical", "not medical"
NO_CONFIDENCE = "no answer has a confidence"
Parts = tuple[str, str, str]
"""(kind of role, role, style); `all` where several are pooled."""


def persona_of(kind: str) -> Parts | None:
    """Kind of role, role and style that a kind of variant sets; None if it is not a single persona."""
    if not kind.startswith(PERSONA) or "+" in kind:
        return None
    role, _, style = kind.removeprefix(PERSONA).partition(".")
    return (MEDICAL if role in MEDICAL_ROLES else OTHER), role, style


def by_persona(runs: Sequence[Run]) -> PaperTable:
    """Table of accuracy, difference from the default prompt, and calibration, for each persona and group of
    personas.
    """
    return table(
        "personas",
        "Accuracy and calibration by persona",
        "Unit: pairs of a question asked under a persona and by the default prompt, neither flagged (V7). "
        "Difference: accuracy under the persona less that under the default prompt. Confidence is the "
        "probability of the tokens that spell the answer. Overconfidence: mean confidence less accuracy, of "
        f"answers that have one; Brier: mean square of their difference. {TWO_WAY_NOTE} {PAIRED_NOTE} Of "
        "confidence and Brier score: over subjects.",
        (MODEL, ("roles", "Roles"), ("role", "Role"), ("style", "Style")),
        (
            Measure("accuracy", "Accuracy"),
            Measure("difference", "Difference", "points"),
            Measure("confidence", "Confidence"),
            Measure("overconfidence", "Overconfidence", "points"),
            Measure("brier", "Brier", "number"),
        ),
        each_run(runs, _rows),
        "no question was answered under a persona (`--variants prompt.persona.ROLE.STYLE`)",
    )


def groups_of(kinds: Iterable[str]) -> list[Parts]:
    """The personas among `kinds`, then groups of them by role, style and kind of role; the widest last."""
    found = list(dict.fromkeys(one for kind in sorted(kinds) if (one := persona_of(kind)) is not None))
    groups = [
        *((kind, role, ALL) for kind, role, _ in found),
        *((ALL, ALL, style) for *_, style in found),
        *((kind, ALL, ALL) for kind, *_ in found),
        (ALL, ALL, ALL),
    ]
    seen = {frozenset([one]) for one in found}
    made = list(found)
    for group in dict.fromkeys(groups):
        inside = frozenset(one for one in found if within(group, one))
        if inside and inside not in seen:  # a group that holds what a row above holds would repeat it
            seen.add(inside)
            made.append(group)
    return made


def within(group: Parts, persona: Parts) -> bool:
    """Whether a persona is in a group, where `all` stands for any."""
    return all(of in (ALL, one) for of, one in zip(group, persona, strict=True))


def _rows(run: Run) -> Iterable[Row]:
    pairs = [(of, pair) for pair in pairs_of(run)[0] if (of := persona_of(pair.kind)) is not None]
    for group in groups_of({pair.kind for _, pair in pairs}):
        yield Row(group, _figures([pair for of, pair in pairs if within(group, of)]))


def _figures(pairs: Sequence[Pair]) -> tuple[Figure, ...]:
    answers = [pair.variant for pair in pairs]
    sure = [(one, held) for one in answers if (held := one.generation.answer_confidence) is not None]
    return (
        accuracy(answers),
        paired_difference([(pair.variant, pair.base) for pair in pairs]),
        _mean([(one, held) for one, held in sure]),
        mean_difference([(one.subject, held - one.right) for one, held in sure], without=NO_CONFIDENCE),
        _mean([(one, (held - one.right) ** 2) for one, held in sure]),
    )


def _mean(values: Sequence[tuple[Answer, float]]) -> Figure:
    pairs = [(one.subject, value) for one, value in values]
    return share(pairs, without=NO_CONFIDENCE, bootstrap=False)
