"""The counts of a lint as lines of text: by template and operation, by rule, and what was not checked."""

from collections import Counter

from clinicnum.lint.lint_results import Tally, TemplateTally
from clinicnum.stats.rounded_figures import rounded

HEAD = ("template", "rows", "checked", "wrong", "ambiguous", "other defects")
ALL = "all"


def summary(tally: Tally) -> list[str]:
    """The counts as text: a table (shares are of checked rows), a line on rules, and a line on what was not
    checked.
    """
    lines = _table(tally)
    if tally.by_rule:
        lines.append(f"findings by rule: {_counts(tally.by_rule)}")
    if tally.not_checked:
        lines.append(f"not checked: {_counts(tally.not_checked)}")
    findings = tally.by_rule.total()
    lines.append(f"{_number(tally.rows, 'item')}, {tally.checked:,} checked, {_number(findings, 'finding')}")
    return lines


def _number(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def _counts(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {n:,}" for name, n in sorted(counts.items(), key=lambda c: (-c[1], c[0])))


def _table(tally: Tally) -> list[str]:
    """A line per template, per operation with several templates, and in total, with aligned columns."""
    rows: list[tuple[str, ...]] = [HEAD]
    operations: dict[str, list[TemplateTally]] = {}
    for name, counts in sorted(tally.by_template.items()):
        rows.append(_row(name, counts))
        operations.setdefault(name.partition(".")[0], []).append(counts)
    rows += [_row(f"{name} (all)", _sum(parts)) for name, parts in operations.items() if len(parts) > 1]
    rows.append(_row(ALL, _sum(list(tally.by_template.values()))))
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEAD))]
    return [
        "  ".join([row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))])
        for row in rows
    ]


def _sum(parts: list[TemplateTally]) -> TemplateTally:
    total = TemplateTally()
    for part in parts:
        total.rows += part.rows
        total.checked += part.checked
        total.wrong += part.wrong
        total.ambiguous += part.ambiguous
        total.defect += part.defect
    return total


def _row(name: str, counts: TemplateTally) -> tuple[str, ...]:
    def share(n: int) -> str:
        return f"{n:,} ({rounded(100 * n / counts.checked, 1)} %)" if n and counts.checked else f"{n:,}"

    shares = (counts.wrong, counts.ambiguous, counts.defect)
    return (name, f"{counts.rows:,}", f"{counts.checked:,}", *map(share, shares))
