"""The automatic score against people: sensitivity, specificity, predictive values of "the scorer says wrong".

People's word is the majority of at least two on the response: `failure`, or right (`acceptable`, or right
with unsound reasoning). Left out, and counted: no majority, `cannot_judge`, and items that a majority does
not call valid, where the score follows a gold that is itself in doubt. Each judged generation weighs 1 / its
inclusion probability: scored-wrong generations are drawn more often than scored-right ones, so unweighted
shares would be those of the sample. Without both kinds among the judged, sensitivity and specificity would be
0 or 1 by construction; they are undefined then.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from annotations.report.view import StudyView
from clinicnum.figure import Figure, nothing, weighted_share

RIGHT = ("acceptable", "right_answer_unsound_reasoning")


@dataclass(frozen=True)
class Checked:
    """One generation that people settled."""

    subject: str
    weight: float
    failed: bool
    """By the majority."""
    lenient: bool
    strict: bool


@dataclass(frozen=True)
class Rate:
    """One of the four rates of one scorer."""

    name: str
    of: str
    """Its denominator, in words."""
    figure: Figure
    hits: int
    """Unweighted count behind it, of `figure.n`."""


def checked(view: StudyView) -> tuple[tuple[Checked, ...], dict[str, int]]:
    """The settled generations, and how many were left out for which reason."""
    kept, out = [], Counter[str]()
    for one in view.settlements:
        if one.response.label is None:
            out["without a majority on the response"] += 1
        elif one.response.label == "cannot_judge":
            out["that the majority cannot judge"] += 1
        elif one.item.label != "valid":
            out["on items that no majority calls valid"] += 1
        else:
            score = view.score(one.generation_id)
            kept.append(
                Checked(
                    subject=view.instance(one.generation_id).subject_id,
                    weight=view.weight(one.generation_id),
                    failed=one.response.label not in RIGHT,
                    lenient=score.lenient,
                    strict=score.strict,
                )
            )
    return tuple(kept), dict(out)


def rates(found: Sequence[Checked], right: Callable[[Checked], bool]) -> tuple[Rate, ...]:
    """The four rates of the scorer for which `right` says whether it calls an answer right."""
    verdicts = {right(one) for one in found}
    reason = None
    if len(verdicts) < 2:
        kind = "wrong" if verdicts == {False} else "right"
        reason = f"only generations that are scored {kind} were judged" if verdicts else "nothing was settled"
    failed, fine = [one for one in found if one.failed], [one for one in found if not one.failed]
    wrong, passed = [one for one in found if not right(one)], [one for one in found if right(one)]
    return (
        _rate("sensitivity", "failures, scored wrong", failed, lambda one: not right(one), reason),
        _rate("specificity", "right answers, scored right", fine, right, reason),
        _rate("positive predictive value", "scored wrong, failures", wrong, lambda one: one.failed, None),
        _rate(
            "negative predictive value",
            "scored right, right answers",
            passed,
            lambda one: not one.failed,
            None,
        ),
    )


def _rate(
    name: str, of: str, among: Sequence[Checked], hit: Callable[[Checked], bool], reason: str | None
) -> Rate:
    values = [(one.subject, one.weight, float(hit(one))) for one in among]
    figure = (
        weighted_share(values, without=f"none of the judged: {of}") if reason is None else nothing(reason)
    )
    return Rate(name, of, figure, sum(hit(one) for one in among))
