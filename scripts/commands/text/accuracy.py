"""A run's accuracy as lines of text."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from clinicnum.stats.rounded_figures import rounded

if TYPE_CHECKING:
    from clinicnum.scoring.part_scores import PartScore
    from clinicnum.stats.accuracy import AccuracyTable
    from clinicnum.stats.dimension_accuracy import DimensionRow
    from clinicnum.stats.jackknife import Interval

MOST_VALUES = 20
"""Most values of a dimension printed; for more, a reference to `--json`."""


def accuracy_text(table: "AccuracyTable", *, unanswered: int | None = None) -> str:
    """Accuracy by operation and representation, and the reasons for answers that are not correct.

    `unanswered` is the number of instances without a generation.
    """
    wrong = ("incorrect", "unparsable", "abstained", "empty", "truncated", "error")
    head = ("operation", "representation", "n", "accuracy", "95 % interval", "strict", "flexible")
    lines: list[Sequence[str]] = [(*head, *wrong)]
    for row in table.distinct_rows:
        counts = {str(status): str(count) for status, count in row.statuses.items()}
        shares = (
            percent(row.accuracy),
            _between(row.interval),
            percent(row.strict_accuracy),
            percent(row.flexible_accuracy),
        )
        lines.append((row.operation, row.representation, str(row.n), *shares, *(counts[w] for w in wrong)))
    without = "" if unanswered is None else f", {unanswered} instances without a generation"
    said = [f"{table.n_scored} scored{without}"]
    said.append(f"{table.n_flagged} flagged as not discriminating (V7) and left out above")
    if not table.form_asked:
        said.append(
            "strict is not judged: nothing is known to have asked these texts for the form that is judged"
        )
    if table.n_errors:
        said.append(
            f"{table.n_errors} samples hold an error in place of an answer (error): in no accuracy, not in n"
        )
    if table.n_variants:
        said.append(f"{table.n_variants} variants, which are for robustness and left out above")
    missing = {row.interval.undefined for row in table.rows if row.interval.undefined}
    said += [f"no interval: {reason}" for reason in sorted(missing)]
    return "\n".join([*aligned(lines), "", *said])


def dimensions_text(rows: "Sequence[DimensionRow]") -> str:
    """Accuracy by each dimension of imported items; empty without any."""
    failed = any(row.n_errors for row in rows)
    head = ("dimension", "value", "n", "accuracy", "95 % interval")
    lines: list[Sequence[str]] = [(*head, *["errors as wrong"] * failed)]
    said = []
    for name in dict.fromkeys(row.dimension for row in rows):
        of_it = [row for row in rows if row.dimension == name]
        if len(of_it) > MOST_VALUES:
            said.append(f"{name} has {len(of_it)} values; --json has their accuracy")
            continue
        lines += [
            (
                *(name, row.value or "not given", str(row.n), percent(row.accuracy), _between(row.interval)),
                *[percent(row.errors_wrong)] * failed,
            )
            for row in of_it
        ]
    return "\n".join([*(aligned(lines) if len(lines) > 1 else []), *said])


def parts_text(rows: "Sequence[PartScore]") -> str:
    """The parts of answers that are scored in parts; empty without any."""
    from clinicnum.scoring.part_scores import PARTS

    if not rows:
        return ""
    lines: list[Sequence[str]] = [("part", "n", "mean", "95 % interval")]
    lines += [(PARTS[row.part], str(row.n), percent(row.value), _between(row.interval)) for row in rows]
    return "\n".join(aligned(lines, texts=1))


def _between(interval: "Interval") -> str:
    return "-" if interval.low is None else f"{percent(interval.low)} to {percent(interval.high)}"


def aligned(lines: Sequence[Sequence[str]], texts: int = 2) -> list[str]:
    """The lines of a table: the first `texts` columns aligned left, the figures behind them right."""
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return [
        "  ".join(
            cell.ljust(width) if i < texts else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]


def percent(share: float | None) -> str:
    """`12.3 %`; a dash for an undefined value."""
    return "-" if share is None else f"{rounded(100 * share, 1)} %"
