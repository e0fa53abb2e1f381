"""Format agreement results as text; pages and commands print exactly the same characters."""

import re

from clinicnum.annotations.agreement.types import AgreementResult, CoefficientValue, Scale

IN_PAIRS = {
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
"""The coefficients in the table of pairs, and their column headings."""
HEADLINE: dict[Scale, str] = {
    "nominal": "krippendorff_alpha_nominal",
    "ordinal": "krippendorff_alpha_ordinal",
    "interval": "krippendorff_alpha_interval",
    "set": "krippendorff_alpha_masi",
}
"""The coefficient that represents a layer where there is space for only one: alpha applies to every scale."""
Rows = list[tuple[str, ...]]


def headline(result: AgreementResult) -> CoefficientValue:
    """The coefficient that is quoted first for a result, chosen by its scale."""
    return result.coefficient(HEADLINE[result.population.scale])


def value_text(coefficient: CoefficientValue) -> str:
    """The value with three decimals, or `undefined`."""
    return "undefined" if coefficient.value is None else f"{coefficient.value:.3f}"


def interval_text(coefficient: CoefficientValue) -> str:
    """`low to high` with three decimals; empty if there is no interval."""
    return ends_text(coefficient.ci95)


def ends_text(ends: tuple[float, float] | None) -> str:
    """The two ends of an interval, formatted as by `interval_text`; empty for None."""
    return "" if ends is None else f"{ends[0]:.3f} to {ends[1]:.3f}"


def pair_table(result: AgreementResult) -> tuple[tuple[str, ...], Rows]:
    """Columns and rows of the table of pairs: the pair, its number of items, its values; empty if there is
    no pair.
    """
    if not result.pairwise:
        return (), []
    names = [one.name for one in result.pairwise[0].coefficients if one.name in IN_PAIRS]
    rows: Rows = []
    for pair in result.pairwise:
        values = {one.name: value_text(one) for one in pair.coefficients}
        n_items = str(pair.coefficients[0].n_items)
        rows.append((" - ".join(pair.annotators), n_items, *(values[name] for name in names)))
    return ("pair", "n", *(IN_PAIRS[name] for name in names)), rows


def thin_labels(coefficient: CoefficientValue) -> str | None:
    """The warning that labels hardly vary, or why the interval is withheld for that; None if neither."""
    told = (coefficient.ci_method or "").split("; ")
    found = next((one for one in told if "most frequent one" in one), None)
    return None if found is None else found.removeprefix("none: ")


def labels_off_mode(coefficient: CoefficientValue) -> tuple[int, int] | None:
    """How many labels are not the most frequent one, and of how many, where `thin_labels` warns of that; else
    None.
    """
    warning = thin_labels(coefficient)
    if warning is None:
        return None
    off, labels = re.findall(r"\d+", warning)[:2]
    return int(off), int(labels)


def alternative_interval_table(result: AgreementResult) -> tuple[tuple[str, ...], Rows, list[str]]:
    """Columns, rows and notes of the table of alternative intervals: coefficient, clusters, interval, number
    of the note.
    """
    notes: dict[str, int] = {}
    rows: Rows = [
        (one.name, one.by, ends_text(one.ci95), note_number(notes, one.ci_method)) for one in result.beside
    ]
    return ("coefficient", "by", "95 % interval", "note"), rows, note_lines(notes)


def weighted_table(result: AgreementResult) -> tuple[tuple[str, ...], Rows, list[str]]:
    """Columns, rows and notes of the weighted table: unweighted and weighted value, weighted interval,
    number of the note.
    """
    notes: dict[str, int] = {}
    rows: Rows = [
        (
            one.name,
            value_text(result.coefficient(one.name)),
            value_text(one),
            interval_text(one),
            note_number(notes, one.undefined or one.ci_method or ""),
        )
        for one in result.weighted
    ]
    return ("coefficient", "unweighted", "weighted", "95 % interval", "note"), rows, note_lines(notes)


def note_number(notes: dict[str, int], text: str) -> str:
    """`(n)`, the number of a note that several rows share; a new note is appended to `notes`."""
    return f"({notes.setdefault(text, len(notes) + 1)})"


def note_lines(notes: dict[str, int]) -> list[str]:
    """The notes in order, each with its number."""
    return [f"({number}) {text}" for text, number in notes.items()]
