"""Worst slices in words, for the explore page. No Gradio, no database."""

from collections.abc import Sequence

from markupsafe import Markup

from clinicnum.annotations.explore.worst_slices import number
from clinicnum.slices.conditions import Condition
from clinicnum.slices.find import Slice, SliceSearch
from clinicnum.ui.components.html import MISSING, note
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.pages.explore.words import ValueNames, percent, points, title


def worst_note(found: SliceSearch) -> str:
    """What was searched and tested, and what the result means, as HTML."""
    if not found.n_tested:
        return str(note(_("None was found: too few answers or patients, or no slice stands out.")))
    searched = ngettext(
        "{n:,} slice was searched on {patients:,} patients.",
        "{n:,} slices were searched on {patients:,} patients.",
        found.n_candidates,
        patients=found.n_subjects - found.n_held_out,
    )
    tested = ngettext(
        "{n} that looked worst was tested on {patients:,} others.",
        "{n} that looked worst were tested on {patients:,} others.",
        found.n_tested,
        patients=found.n_held_out,
    )
    if not found.slices:
        meant = _("None was confirmed: no slice is clearly worse than the rest on patients not searched.")
    else:
        meant = _(
            "All figures are of these other patients; p is corrected for the number of tests. It holds for "
            "other patients, not for other templates or models. Click a row to look into its answers."
        )
    return str(note(Markup(" ").join((searched, tested, meant))))


def worst_rows(found: SliceSearch, names: ValueNames) -> list[list[str]]:
    """A row for each confirmed slice."""
    return [
        [
            conditions_words(one.conditions, names),
            _("all chosen") if one.run is None else names("run", one.run),
            percent(one.accuracy),
            percent(one.rest_accuracy),
            _difference(one),
            ngettext("{n:,} patient", "{n:,} patients", one.held_out_subjects),
            _p(one.p_corrected),
        ]
        for one in found.slices
    ]


def conditions_words(conditions: Sequence[Condition], names: ValueNames) -> str:
    """One condition or two in words."""
    words = [_condition(each, names) for each in conditions]
    return words[0] if len(words) == 1 else _("{one} and {other}", one=words[0], other=words[1])


def _condition(one: Condition, names: ValueNames) -> str:
    of = title(one.facet)
    if one.operator == "=":
        return _("{facet}: {value}", facet=of, value=names(one.facet, one.value))
    if one.operator == ">=":
        return _("{facet}: {number} or more", facet=of, number=number(one))
    return _("{facet}: under {number}", facet=of, number=number(one))


def _difference(one: Slice) -> str:
    if one.low is None or one.high is None:
        return points(-one.difference)
    interval = _("{low} to {high}", low=points(-one.high), high=points(-one.low))
    return _("{points} ({interval})", points=points(-one.difference), interval=interval)


def _p(p: float | None) -> str:
    if p is None:
        return MISSING
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
