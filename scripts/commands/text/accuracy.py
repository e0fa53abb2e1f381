"""A run's accuracy as lines of text."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clinicnum.stats.accuracy import AccuracyTable


def accuracy_text(table: "AccuracyTable", *, unanswered: int | None = None, form_asked: bool = True) -> str:
    """Accuracy by operation and representation, and the reasons for answers that are not correct."""
    wrong = ("incorrect", "unparsable", "abstained", "empty", "truncated", "error")
    head = ("operation", "representation", "n", "accuracy", "95 % interval", "strict", "flexible")
    lines: list[Sequence[str]] = [(*head, *wrong)]
    for row in table.rows:
        counts = {str(status): str(count) for status, count in row.statuses.items()}
        low, high = row.interval.low, row.interval.high
        between = "-" if low is None else f"{percent(low)} to {percent(high)}"
        shares = (
            percent(row.accuracy),
            between,
            percent(row.strict_accuracy if form_asked else None),
            percent(row.flexible_accuracy),
        )
        lines.append((row.operation, row.representation, str(row.n), *shares, *(counts[w] for w in wrong)))
    without = "" if unanswered is None else f", {unanswered} instances without a generation"
    said = [f"{table.n_scored} scored{without}"]
    said.append(f"{table.n_flagged} flagged as not discriminating (V7) and left out above")
    if not form_asked:
        said.append("strict is not judged: the texts were made elsewhere, and no form was asked of them here")
    if table.n_errors:
        said.append(
            f"{table.n_errors} samples hold an error in place of an answer (error): in no accuracy, not in n"
        )
    if table.n_variants:
        said.append(f"{table.n_variants} variants, which are for robustness and left out above")
    missing = {row.interval.undefined for row in table.rows if row.interval.undefined}
    said += [f"no interval: {reason}" for reason in sorted(missing)]
    return "\n".join([*aligned(lines), "", *said])


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
    return "-" if share is None else f"{100 * share:.1f} %"
