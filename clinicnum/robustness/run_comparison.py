"""Runs of one benchmark side by side: accuracy on the questions that all answered, and paired differences.

Accuracy is that of `clinicnum.stats.accuracy`, on the same questions for every run, so that a shorter run is
not compared on others. Differences are those of `clinicnum.robustness.paired_effects.model_effects`: each
pair of runs on the questions that both answered, corrected for the number of pairs.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from clinicnum.errors import InputError
from clinicnum.robustness.paired_effects import model_effects
from clinicnum.robustness.run_answers_and_pairs import Run
from clinicnum.stats.accuracy import AccuracyTable, accuracy_table
from clinicnum.stats.paired_tests import Comparison

MOST_RUNS = 8
"""Maximum runs compared at once: 28 pairs, each on every operation."""


@dataclass(frozen=True)
class ComparedRun:
    """One run in a comparison."""

    name: str
    accuracy: AccuracyTable
    """Accuracy on the questions that all compared runs answered, variants included in its counts only."""
    n_answered: int
    """Questions that this run answered, without samples that failed."""
    n_failed: int
    """Samples that hold an error in place of an answer."""


@dataclass(frozen=True)
class RunComparison:
    """Runs of one benchmark compared."""

    runs: tuple[ComparedRun, ...]
    n_common: int
    """Questions that every run answered, variants and those that do not discriminate among them."""
    differences: tuple[Comparison, ...]
    """By pair of runs, then operation, with `all` last; p-values are corrected over all of them."""


def check_number(runs: int) -> None:
    """Raise InputError for fewer than two runs or more than MOST_RUNS."""
    if not 2 <= runs <= MOST_RUNS:
        raise InputError(
            "a comparison takes 2 to {most} runs, not {n}; choose others", n=runs, most=MOST_RUNS
        )


def compare_runs(runs: Sequence[Run]) -> RunComparison:
    """Compare runs on one benchmark, in the order given.

    Raises InputError for fewer than two runs or more than MOST_RUNS, and if two have the same name.
    """
    check_number(len(runs))
    twice = next((name for name, times in Counter(run.name for run in runs).items() if times > 1), None)
    if twice is not None:
        raise InputError("two runs are called {name!r}; give each a name of its own", name=twice)
    answered = [{key for key, one in run.answers.items() if not one.failed} for run in runs]
    common = set.intersection(*answered)
    compared = tuple(
        ComparedRun(
            name=run.name,
            accuracy=accuracy_table(
                ((one.instance, one.score) for key, one in run.answers.items() if key in common),
                form_asked=run.form_asked,
            ),
            n_answered=len(own),
            n_failed=len(run.answers) - len(own),
        )
        for run, own in zip(runs, answered, strict=True)
    )
    return RunComparison(compared, len(common), model_effects(runs))
