"""Worst slices in words, for the explore page. No Gradio, no database."""

from collections.abc import Sequence

from markupsafe import Markup

from clinicnum.annotations.explore.worst_slices import number
from clinicnum.slices.find_slices import ITEMS, SUBJECTS, Slice, SliceSearch
from clinicnum.slices.slice_conditions import Condition
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.html import MISSING, note
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.pages.explore.facet_and_figure_wording import (
    ValueNames,
    percent,
    points,
    subjects_counted,
    title,
)

PATIENTS = {"F": Translatable("female patients"), "M": Translatable("male patients")}
WRITTEN = {
    "structured": Translatable("records in a table"),
    "templated": Translatable("records in sentences"),
    "note": Translatable("records in a clinical note"),
}


def worst_note(found: SliceSearch, *, questions: bool) -> str:
    """What was searched and tested, and how to read it, as HTML; `questions`: each is its own subject."""
    if not found.n_candidates:
        few = _(
            "None was found, for there are too few answers: one half of them is searched, and there a slice "
            "and the rest need {answers} answers each, and {subjects}.",
            answers=ITEMS,
            subjects=subjects_counted(SUBJECTS, questions=questions),
        )
        return str(note(few))
    if not found.n_tested:
        return str(note(_("None was found: no slice is wrong clearly more often than the rest.")))
    searched = ngettext(
        "{n:,} slice was compared in {subjects}.",
        "{n:,} slices were compared in {subjects}.",
        found.n_candidates,
        subjects=subjects_counted(found.n_subjects - found.n_held_out, questions=questions),
    )
    tested = ngettext(
        "The {n} that looked worst was then tested on the other half, {subjects}.",
        "The {n} that looked worst were then tested on the other half, {subjects}.",
        found.n_tested,
        subjects=subjects_counted(found.n_held_out, questions=questions),
    )
    if not found.slices:
        meant = _("None was confirmed: there, no slice was clearly worse than the rest.")
    else:
        meant = _(
            "All figures come from that half, and p is corrected for the number of tests. They hold for "
            "further patients or questions like these, not for other templates or models. Click a row to see "
            "its answers."
        )
    return str(note(Markup(" ").join((searched, tested, meant))))


def worst_rows(found: SliceSearch, names: ValueNames, *, questions: bool) -> list[list[str]]:
    """A row (conditions, run, accuracy, accuracy of the rest, difference, patients, p) for each slice that
    the held-out patients confirmed; `questions`: each is its own subject.
    """
    return [
        [
            conditions_words(one.conditions, names),
            _("all chosen") if one.run is None else names("run", one.run),
            percent(one.accuracy),
            percent(one.rest_accuracy),
            _difference(one),
            subjects_counted(one.held_out_subjects, questions=questions),
            _p(one.p_corrected),
        ]
        for one in found.slices
    ]


def conditions_words(conditions: Sequence[Condition], names: ValueNames) -> str:
    """One condition or two in words."""
    words = [_condition(each, names) for each in conditions]
    told = words[0] if len(words) == 1 else _("{one}, with {other}", one=words[0], other=words[1])
    return told[:1].upper() + told[1:]


def _condition(one: Condition, names: ValueNames) -> str:
    if one.operator != "=":
        return _threshold(one)
    if one.facet == "gender" and one.value in PATIENTS:
        return _(PATIENTS[one.value])
    if one.facet == "representation" and one.value in WRITTEN:
        return _(WRITTEN[one.value])
    value = names(one.facet, one.value)
    if one.facet == "operation":
        return _("{kind} questions", kind=value)
    if one.facet == "vital":
        return _("questions about {vital}", vital=value)
    if one.facet == "template":
        return _("questions of template {name}", name=value)
    if one.facet == "variant" and not one.value:
        return _("base questions")
    return _("{facet}: {value}", facet=title(one.facet), value=value)


def _threshold(one: Condition) -> str:
    n = int(number(one))
    match one.facet, one.operator:
        case "records", ">=":
            return ngettext("{n} record or more", "{n} records or more", n)
        case "records", _:
            return ngettext("fewer than {n} record", "fewer than {n} records", n)
        case "context_length", ">=":
            return _("contexts of {n:,} characters or more", n=n)
        case "context_length", _:
            return _("contexts of fewer than {n:,} characters", n=n)
        case "steps", ">=":
            return ngettext("{n} step of calculation or more", "{n} steps of calculation or more", n)
        case "steps", _:
            return ngettext("fewer than {n} step of calculation", "fewer than {n} steps of calculation", n)
        case "age", ">=":
            return _("patients of {n} years or more", n=n)
        case "age", _:
            return _("patients under {n} years", n=n)
    return f"{title(one.facet)} {one.operator} {n}"


def _difference(one: Slice) -> str:
    if one.low is None or one.high is None:
        return points(-one.difference)
    interval = _("{low} to {high}", low=points(-one.high), high=points(-one.low))
    return _("{points} ({interval})", points=points(-one.difference), interval=interval)


def _p(p: float | None) -> str:
    if p is None:
        return MISSING
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
