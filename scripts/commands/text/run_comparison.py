"""A comparison of runs as lines of text."""

from typing import TYPE_CHECKING

from clinicnum.scripts.commands.text.accuracy import aligned, percent
from clinicnum.stats.rounded_figures import rounded

if TYPE_CHECKING:
    from clinicnum.robustness import RunComparison
    from clinicnum.stats.jackknife import Interval


def comparison_text(found: "RunComparison") -> str:
    """Accuracy of each run on the questions that all answered, then the paired differences."""
    lines = [
        *_accuracy(found),
        "",
        f"on the {found.n_common} questions that all {len(found.runs)} runs answered; without variants and "
        "those that do not discriminate (V7)",
        *(
            f"{one.name}: {one.n_answered} answered, {one.n_failed} failed"
            for one in found.runs
            if one.n_failed or one.n_answered > found.n_common
        ),
        "",
        *_differences(found),
        "",
        "points: accuracy of the first less that of the second, on the questions that both answered; p by "
        "exact sign flips of subjects, corrected for all pairs and operations shown; alone: questions that "
        "one of both got right",
    ]
    return "\n".join(lines)


def _accuracy(found: "RunComparison") -> list[str]:
    rows = [("operation", "representation", "run", "n", "accuracy", "95 % interval", "majority")]
    for together in zip(*(one.accuracy.distinct_rows for one in found.runs), strict=True):
        for run, row in zip(found.runs, together, strict=True):
            figures = str(row.n), percent(row.accuracy), _between(row.interval)
            majority = percent(row.baselines.majority)
            rows.append((row.operation, row.representation, run.name, *figures, majority))
    return aligned(rows, texts=3)


def _differences(found: "RunComparison") -> list[str]:
    head = ("difference of", "operation", "n", "points", "95 % interval", "p", "p, corrected")
    rows: list[tuple[str, ...]] = [(*head, "first alone", "second alone")]
    for one in found.differences:
        points = "-" if one.difference is None else _points(one.difference)
        tests = ("-" if p is None else f"{p:.3g}" for p in (one.p, one.p_corrected))
        alone = str(one.only_first), str(one.only_second)
        pair = f"{one.first} - {one.second}"
        low, high = one.interval.low, one.interval.high
        between = "-" if low is None or high is None else f"{_points(low)} to {_points(high)}"
        rows.append((pair, one.on, str(one.n), points, between, *tests, *alone))
    return aligned(rows)


def _points(share: float) -> str:
    return rounded(100 * share, 1, signed=True)


def _between(interval: "Interval") -> str:
    low, high = interval.low, interval.high
    return "-" if low is None or high is None else f"{percent(low)} to {percent(high)}"
