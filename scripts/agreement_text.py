"""An agreement as people read it in a terminal: the figures of `--json` without the intervals of pairs."""

from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from annotations.agreement import AgreementResult
from annotations.agreement.display import ends_text, interval_text, value_text

_OF_PAIRS = {
    "percent_agreement": "agree",
    "cohen_kappa": "Cohen",
    "cohen_kappa_quadratic": "quadratic",
    "gwet_ac1": "AC1",
    "gwet_ac2_quadratic": "AC2 quadratic",
    "krippendorff_alpha_nominal": "alpha",
    "krippendorff_alpha_ordinal": "ordinal",
    "krippendorff_alpha_interval": "interval",
    "krippendorff_alpha_masi": "MASI",
}
"""What a terminal has room for."""


def print_result(console: Console, title: str, result: AgreementResult) -> None:
    """The population, then the coefficients and what stands beside them."""
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
    _print_beside(console, result)
    _print_strength(console, result)
    _print_pairs(console, result)


def _print_coefficients(console: Console, result: AgreementResult) -> None:
    notes: dict[str, int] = {}
    rows = [
        (
            row.name,
            value_text(row),
            interval_text(row),
            str(row.n_items),
            _note(notes, row.undefined or row.ci_method or ""),
        )
        for row in result.coefficients
    ]
    _print_rows(console, ("coefficient", "value", "95 % interval", "n", "note"), rows, notes)


def _print_beside(console: Console, result: AgreementResult) -> None:
    notes: dict[str, int] = {}
    rows = [(one.name, one.by, ends_text(one.ci95), _note(notes, one.ci_method)) for one in result.beside]
    if rows:
        console.print("\nOther intervals for the same values, as a sensitivity:", markup=False)
        _print_rows(console, ("coefficient", "by", "95 % interval", "note"), rows, notes)


def _print_strength(console: Console, result: AgreementResult) -> None:
    rows = [
        (one.name, one.landis_koch, one.gwet or one.undefined or "", _share(one.probability))
        for one in result.strength
    ]
    if rows:
        console.print(
            "\nStrength: Landis and Koch name the value, Gwet what it may be called with 95 % certainty:",
            markup=False,
        )
        _print_rows(console, ("coefficient", "Landis-Koch", "Gwet", "probability"), rows)


def _share(probability: float | None) -> str:
    return "" if probability is None else f"{probability:.3f}"


def _print_pairs(console: Console, result: AgreementResult) -> None:
    """One row a pair, one column a coefficient."""
    if not result.pairwise:
        return
    names = [one.name for one in result.pairwise[0].coefficients if one.name in _OF_PAIRS]
    rows = []
    for pair in result.pairwise:
        values = {one.name: value_text(one) for one in pair.coefficients}
        n_items = str(pair.coefficients[0].n_items)
        rows.append((" - ".join(pair.annotators), n_items, *(values[name] for name in names)))
    console.print(
        "\nPairs of annotators, on the items that both labelled (more, with intervals: --json, --out):",
        markup=False,
    )
    _print_rows(console, ("pair", "n", *(_OF_PAIRS[name] for name in names)), rows)


def _note(notes: dict[str, int], text: str) -> str:
    return f"({notes.setdefault(text, len(notes) + 1)})"


def _print_rows(
    console: Console,
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    notes: dict[str, int] | None = None,
) -> None:
    numbers = {"value", "n", "probability", *_OF_PAIRS.values()}
    heads = [Column(name, no_wrap=True, justify="right" if name in numbers else "left") for name in columns]
    table = Table(*heads, box=box.SIMPLE_HEAD, pad_edge=False)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console.print(table)
    for text, note in (notes or {}).items():
        console.print(f"({note}) {text}", markup=False)
