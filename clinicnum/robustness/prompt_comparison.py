"""Two runs that differ in their prompt alone, on the same questions: what the change of prompt does.

Each outcome is a share of answers, paired by question, with the paired test and interval of
`clinicnum.stats.paired_tests`; p-values are corrected for the number of outcomes. Variants, questions that do
not discriminate (V7), and failed samples count in neither.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from clinicnum.robustness.run_answers_and_pairs import ALL, Answer, Run
from clinicnum.stats.paired_tests import Comparison, compare, corrected

NO_ANSWER = ("unparsable", "empty", "truncated")
FORM_MISSED = "form missed"
SUGGESTED = ("omission", "hallucination")
"""Classes of the taxonomy whose automatic suggestions are counted."""


@dataclass(frozen=True)
class OutcomeDifference:
    """The share of answers with one outcome under both prompts, and the difference."""

    outcome: str
    first: float | None
    """Share of the answers under the first prompt; None without common questions."""
    second: float | None
    difference: Comparison
    """First less second; "right" in its fields means that the outcome holds."""


@dataclass(frozen=True)
class PromptComparison:
    """Two prompts compared."""

    outcomes: tuple[OutcomeDifference, ...]
    n_common: int
    n_first_only: int
    """Questions that the first run alone answered; they are in no figure."""
    n_second_only: int
    form_judged: bool
    """Whether both prompts ask for the form that scoring expects; else form is not compared."""


def compare_prompts(
    first: Run, second: Run, *, suggested: Mapping[str, Collection[str]], form_judged: bool
) -> PromptComparison:
    """Compare two runs that differ in their prompt.

    `suggested` maps a generation's id to the classes of its suggested causes; `form_judged`: whether both
    prompts ask for the form that scoring expects.
    """
    ours, theirs = ({one.instance.instance_id: one for one in run.bases} for run in (first, second))
    both = [(one, theirs[key]) for key, one in ours.items() if key in theirs]
    outcomes = _outcomes(suggested, form_judged)
    found = [
        compare(first.name, second.name, [(a.subject, holds(a), holds(b)) for a, b in both], on=ALL)
        for holds in outcomes.values()
    ]
    told = corrected(found, families=list(outcomes))
    return PromptComparison(
        outcomes=tuple(
            OutcomeDifference(
                outcome=name,
                first=_share([holds(a) for a, _ in both]),
                second=_share([holds(b) for _, b in both]),
                difference=one,
            )
            for (name, holds), one in zip(outcomes.items(), told, strict=True)
        ),
        n_common=len(both),
        n_first_only=len(ours) - len(both),
        n_second_only=len(theirs) - len(both),
        form_judged=form_judged,
    )


def _outcomes(
    suggested: Mapping[str, Collection[str]], form_judged: bool
) -> dict[str, Callable[[Answer], bool]]:
    def of_class(name: str) -> Callable[[Answer], bool]:
        return lambda one: name in suggested.get(one.generation.generation_id, ())

    form: dict[str, Callable[[Answer], bool]] = {
        FORM_MISSED: lambda one: one.score.lenient and not one.score.strict
    }
    return {
        "right": lambda one: one.right,
        **{f"{name} suggested": of_class(name) for name in SUGGESTED},
        **(form if form_judged else {}),
        "no answer read": lambda one: one.score.status in NO_ANSWER,
    }


def _share(flags: list[bool]) -> float | None:
    return sum(flags) / len(flags) if flags else None
