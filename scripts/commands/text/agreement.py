"""Agreement as text for the terminal, readable at 80 columns; `--json` and `--out` hold all of it."""

from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from clinicnum.annotations.agreement import AgreementResult, CoefficientValue
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
from clinicnum.annotations.agreement.results_in_sentences import agreement_sentence
from clinicnum.annotations.agreement.types import NONE

FOR_UNORDERED_LABELS = {IN_PAIRS[one] for one in ("cohen_kappa", "gwet_ac1", "krippendorff_alpha_nominal")}
"""Columns that tables of ordered labels leave out here, so that they fit into 80 columns."""
ONE_CATEGORY = ("percent_agreement", "cohen_kappa", "gwet_ac1", "krippendorff_alpha_nominal")
"""The coefficients in the table of single categories."""
UNDEFINED, DASH = "undefined", "–"


def print_result(console: Console, title: str, result: AgreementResult) -> None:
    """Print the population, the agreement in a sentence, the coefficients, and the details reported with
    them.
    """
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
    console.print(f"\n{agreement_sentence(title, result)}", markup=False)
    _print_coefficients(console, [one for one in result.coefficients if "[" not in one.name])
    _print_categories(console, result)
    _print_weighted(console, result)
    _print_beside(console, result)
    _print_pairs(console, result)


def _print_coefficients(console: Console, coefficients: Sequence[CoefficientValue]) -> None:
    """Those with a value as a table; below it the names of the others, by the reason why they have none."""
    notes: dict[str, int] = {}
    rows = [
        (
            one.name,
            value_text(one),
            interval_text(one),
            str(one.n_items),
            note_number(notes, one.ci_method or ""),
        )
        for one in coefficients
        if one.value is not None
    ]
    if rows:
        _print_rows(console, ("coefficient", "value", "95 % interval", "n", "note"), rows, note_lines(notes))
    without: dict[str, list[str]] = {}
    for one in coefficients:
        if one.value is None:
            without.setdefault(one.undefined or "", []).append(one.name)
    for why, names in without.items():
        console.print(f"{UNDEFINED}: {', '.join(names)}: {why}", markup=False)


def _print_categories(console: Console, result: AgreementResult) -> None:
    """The table of single categories, each against all others; nothing where there is none."""
    by_name = {one.name: one for one in result.coefficients}
    categories = [
        category
        for category in (*result.population.categories, NONE)
        if f"{ONE_CATEGORY[0]}[{category}]" in by_name
    ]
    rows = []
    for category in dict.fromkeys(categories):
        found = [by_name[f"{name}[{category}]"] for name in ONE_CATEGORY]
        rows.append((category, str(found[0].n_items), *map(value_text, found)))
    if rows:
        console.print(
            "\nOne category against all others (more, with intervals and reasons: --json, --out):",
            markup=False,
        )
        columns = ("category", "n", *(IN_PAIRS[name] for name in ONE_CATEGORY))
        _print_rows(console, *_with_values(columns, rows))


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
        ordered = result.population.scale in ("ordinal", "interval")
        left_out = FOR_UNORDERED_LABELS if ordered else frozenset()
        shown = [place for place, name in enumerate(columns) if name not in left_out]
        fewer = [tuple(row[place] for place in shown) for row in rows]
        _print_rows(console, *_with_values([columns[place] for place in shown], fewer))


def _with_values(
    columns: Sequence[str], rows: Sequence[Sequence[str]]
) -> tuple[list[str], list[list[str]], list[str]]:
    """The table without columns in which no row has a value, a dash for each other missing value, and a note
    that says what the dash means if there is one.
    """
    shown = [place for place in range(len(columns)) if any(row[place] != UNDEFINED for row in rows)]
    cells = [[DASH if row[place] == UNDEFINED else row[place] for place in shown] for row in rows]
    missing = any(DASH in row[1:] for row in cells)
    return [columns[place] for place in shown], cells, [f"{DASH} {UNDEFINED}"] * missing


def _print_rows(
    console: Console,
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    notes: Sequence[str] = (),
) -> None:
    """Print a table. Only its first column gives way where the terminal is narrow, by breaking its lines."""
    numbers = {"value", "unweighted", "weighted", "n", "probability", *IN_PAIRS.values()}
    names, *figures = columns
    heads = [Column(name, no_wrap=True, justify="right" if name in numbers else "left") for name in figures]
    table = Table(Column(names, overflow="fold"), *heads, box=box.SIMPLE_HEAD, pad_edge=False)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console.print(table)
    for note in notes:
        console.print(note, markup=False)
