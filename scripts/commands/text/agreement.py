"""Agreement as text for the terminal: the figures of `--json` without the intervals of annotator pairs."""

from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from clinicnum.annotations.agreement import AgreementResult
from clinicnum.annotations.agreement.format_results import (
    IN_PAIRS,
    alternative_interval_table,
    interval_text,
    note_lines,
    note_number,
    pair_table,
    value_text,
    weighted_table,
)


def print_result(console: Console, title: str, result: AgreementResult) -> None:
    """Print the population, the coefficients, and the details reported with them."""
    population = result.population
    subjects = f", {population.clusters} subjects" if population.clusters is not None else ""
    console.print(
        f"\n{title}: {population.items} items, {population.annotators} annotators, "
        f"{population.labels} labels, {population.pairs} pairs{subjects}; {population.scale} scale; "
        f"{population.rule}",
        markup=False,
    )
    for gap in population.left_out:
        console.print(f"left out: {gap.n} {gap.what}: {gap.why}", markup=False)
    for note in population.notes:
        console.print(f"note: {note}", markup=False)
    _print_coefficients(console, result)
    _print_weighted(console, result)
    _print_beside(console, result)
    _print_pairs(console, result)


def _print_coefficients(console: Console, result: AgreementResult) -> None:
    notes: dict[str, int] = {}
    rows = [
        (
            row.name,
            value_text(row),
            interval_text(row),
            str(row.n_items),
            note_number(notes, row.undefined or row.ci_method or ""),
        )
        for row in result.coefficients
    ]
    _print_rows(console, ("coefficient", "value", "95 % interval", "n", "note"), rows, note_lines(notes))


def _print_weighted(console: Console, result: AgreementResult) -> None:
    columns, rows, notes = weighted_table(result)
    if rows:
        console.print("\nWeighted by the inverse chance of being drawn:", markup=False)
        _print_rows(console, columns, rows, notes)


def _print_beside(console: Console, result: AgreementResult) -> None:
    columns, rows, notes = alternative_interval_table(result)
    if rows:
        console.print("\nOther intervals for the same values, as a sensitivity:", markup=False)
        _print_rows(console, columns, rows, notes)


def _print_pairs(console: Console, result: AgreementResult) -> None:
    columns, rows = pair_table(result)
    if rows:
        console.print(
            "\nPairs of annotators, on the items that both labelled (more, with intervals: --json, --out):",
            markup=False,
        )
        _print_rows(console, columns, rows)


def _print_rows(
    console: Console,
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    notes: Sequence[str] = (),
) -> None:
    numbers = {"value", "unweighted", "weighted", "n", "probability", *IN_PAIRS.values()}
    heads = [Column(name, no_wrap=True, justify="right" if name in numbers else "left") for name in columns]
    table = Table(*heads, box=box.SIMPLE_HEAD, pad_edge=False)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console.print(table)
    for note in notes:
        console.print(note, markup=False)
