"""The slices by one facet as a table, and by two as a map of failures."""

from collections.abc import Sequence

import gradio as gr
from markupsafe import Markup

from clinicnum.annotations.explore.slice_accuracy import (
    FailureMap,
    SliceTable,
    accuracy_by,
    failure_map,
)
from clinicnum.db.work.explore.explore_page_data import Slice
from clinicnum.stats.rounded_figures import rounded
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.figure_help import help_button
from clinicnum.ui.components.gradio_page import Outputs
from clinicnum.ui.components.html import framed, note
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.pages.explore.facet_and_figure_wording import (
    ValueNames,
    ends,
    percent,
    points,
    title,
    with_interval,
)
from clinicnum.ui.pages.explore.view_query import FACETS, ViewQuery

SUBJECTS = Translatable("Patients")
COLUMNS = (
    Translatable("Slice"),
    Translatable("Answers"),
    SUBJECTS,
    Translatable("Right (95 % interval)"),
    Translatable("Difference (95 % interval)"),
)
WIDTHS: list[str | int] = ["230px", "90px", "90px", "200px", "240px"]
UNCORRECTED = Translatable(
    "The difference is the accuracy of the slice minus that of the other answers, in percentage points. "
    "Intervals hold for other patients (other questions, where they are about no patient) and, from five "
    "templates on (for a difference: in the slice and beside it), for other templates. They are not "
    "corrected for how many slices you look at, so a difference that you find here is a lead, not a finding. "
    "Click a row to see its answers."
)
MAP_WORDS = Translatable(
    "The share of wrong answers: the stronger the red, the more. A dash means that nothing was asked. "
    "Click a field to see its wrong answers; the filter “Right or wrong” shows the right ones, too."
)
SHADES = 10


def facet_choices() -> list[tuple[str, str]]:
    """(title, facet) of each facet."""
    return [(title(facet), facet) for facet in FACETS]


def slices_values(found: Slice, asked: ViewQuery, names: ValueNames) -> Outputs:
    """Values for the table of slices and the note below it."""
    of = accuracy_by(found.frame, asked.by, within=found.chosen)
    rows = slice_rows(of, names)
    label = _("Accuracy by: {facet}", facet=title(asked.by))
    own = found.frame.each_is_own_subject
    headers = [_("Questions") if own and one == SUBJECTS else _(one) for one in COLUMNS]
    shown = {"headers": headers, "data": rows}
    return gr.update(value=shown, label=label, visible=bool(rows)), _left_out(of.left_out)


def slice_rows(of: SliceTable, names: ValueNames) -> list[list[str | int]]:
    """Rows for COLUMNS."""
    return [
        [
            names(of.facet, row.value),
            row.n,
            row.subjects,
            with_interval(percent(row.accuracy), ends(row.interval)),
            with_interval(points(row.difference), ends(row.difference_interval, signed=True)),
        ]
        for row in of.rows
    ]


def map_values(found: Slice, asked: ViewQuery, names: ValueNames) -> Outputs:
    """The map of failures as HTML."""
    of = failure_map(found.frame, asked.down, asked.across, within=found.chosen)
    if not of.rows:
        return ("",)
    return (framed(Markup("{}{}").format(_map(of, asked, names), _left_out_note(of.left_out))),)


def _map(of: FailureMap, asked: ViewQuery, names: ValueNames) -> Markup:
    caption = _("Wrong answers by {down} and {across}", down=title(asked.down), across=title(asked.across))
    head = Markup("").join(
        Markup('<th scope="col">{}</th>').format(names(asked.across, value)) for value in of.columns
    )
    body = Markup("").join(
        Markup('<tr><th scope="row" class="cn-left">{}</th>{}</tr>').format(
            names(asked.down, value), _cells(of, at, value, asked)
        )
        for at, value in enumerate(of.rows)
    )
    return Markup(
        '<p class="cn-muted">{}</p><div class="cn-table-wrap cn-map" tabindex="0" role="region" '
        'aria-label="{}"><table class="cn-table"><caption>{} {}</caption><thead><tr><td></td>{}</tr></thead>'
        "<tbody>{}</tbody></table></div>"
    ).format(_(MAP_WORDS), caption, caption, help_button("failure_map"), head, body)


def _cells(of: FailureMap, row: int, value: str, asked: ViewQuery) -> Markup:
    def address(wrong: int, other: str) -> str:
        """The address that shows a cell's wrong answers, or all of them if none is wrong.

        One of the two facets may be `correct`; its value then takes precedence.
        """
        only = {"correct": "no"} if wrong else {}
        return asked.choosing(**{**only, asked.down: value, asked.across: other})

    return Markup("").join(
        _cell(n, wrong, address(wrong, other))
        for n, wrong, other in zip(of.n[row].tolist(), of.failures[row].tolist(), of.columns, strict=True)
    )


def _cell(n: int, wrong: int, address: str) -> Markup:
    if not n:
        return Markup('<td class="cn-empty"><span title="{}">–</span></td>').format(_("nothing was asked"))
    share = wrong / n
    shade = -(-wrong * SHADES // n)  # 0 where nothing is wrong
    return Markup('<td class="cn-heat-{}"><a href="{}">{} %<small>{}</small></a></td>').format(
        shade, address, rounded(100 * share, 0), _("{wrong} of {n}", wrong=wrong, n=n)
    )


def _left_out(n: int) -> str:
    return str(_left_out_note(n))


def _left_out_note(n: int) -> Markup:
    if not n:
        return Markup("")
    return note(
        ngettext(
            "{n:,} more value has fewer answers and is not shown.",
            "{n:,} more values have fewer answers and are not shown.",
            n,
        )
    )


def value_of(choices: Sequence[str], name: object, facet: str, names: ValueNames) -> str | None:
    """The value of a facet that has this name; None if none has."""
    return next((value for value in choices if names(facet, value) == name), None)
