"""The slices where models do worst, as lines of text and as JSON."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from clinicnum.scripts.commands.text.accuracy import aligned, percent
from clinicnum.stats.rounded_figures import rounded

if TYPE_CHECKING:
    from clinicnum.slices.find_slices import Slice, SliceSearch
    from clinicnum.slices.slice_conditions import Condition

HEAD = (
    *("slice", "run", "answers", "patients", "right", "elsewhere", "points", "95 % interval"),
    "p, corrected",
)


def slices_text(found: "SliceSearch", names: Mapping[str, str]) -> str:
    """The confirmed slices as a table, with the data they describe; `names` maps a run to its shown name."""
    searched = f"{found.n_candidates} slices searched on {found.n_subjects - found.n_held_out} patients"
    tested = f"{found.n_tested} tested on {found.n_held_out} others"
    if not found.slices:
        return f"no slice was confirmed: {searched}, {tested}"
    said = (
        f"{searched}, {tested}: {len(found.slices)} confirmed; figures are of these others; the interval is "
        "that of one slice, p is corrected for the number tested (Holm); nothing is said of other templates "
        "or models"
    )
    return "\n".join([*aligned([HEAD, *(_row(one, names) for one in found.slices)]), "", said])


def slices_json(found: "SliceSearch", names: Mapping[str, str]) -> dict[str, Any]:
    """The counts of a search, and its confirmed and unconfirmed slices, as plain values.

    `names` maps a run to its displayed name.
    """
    numbers = {key: value for key, value in vars(found).items() if isinstance(value, int | float)}
    return {
        **numbers,
        "slices": [_fields(one, names) for one in found.slices],
        "not_confirmed": [_fields(one, names) for one in found.not_confirmed],
    }


def _fields(one: "Slice", names: Mapping[str, str]) -> dict[str, Any]:
    fields = {name: value for name, value in vars(one).items() if name != "rows"}
    run = None if one.run is None else names.get(one.run, one.run)
    return {**fields, "run": run, "conditions": [asdict(each) for each in one.conditions]}


def _row(one: "Slice", names: Mapping[str, str]) -> tuple[str, ...]:
    some = one.low is not None and one.high is not None
    return (
        " and ".join(_words(each) for each in one.conditions),
        "all" if one.run is None else names.get(one.run, one.run),
        *(str(one.held_out_n), str(one.held_out_subjects)),
        *(percent(one.accuracy), percent(one.rest_accuracy), rounded(-100 * one.difference, 1, signed=True)),
        " to ".join(rounded(-100 * (end or 0), 1, signed=True) for end in (one.high, one.low))
        if some
        else "-",
        "-" if one.p_corrected is None else f"{one.p_corrected:.2g}",
    )


def _words(one: "Condition") -> str:
    from clinicnum.annotations.explore.facet_names import TITLES
    from clinicnum.annotations.explore.worst_slices import number

    title = TITLES[one.facet].lower()
    if one.operator == "=":
        return f"{title} {one.value or 'none'}"
    return f"{title} {number(one)} or more" if one.operator == ">=" else f"{title} under {number(one)}"
