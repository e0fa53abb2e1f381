"""The answers of a slice as a paged table, and what flipped between two runs."""

from collections.abc import Sequence
from textwrap import shorten
from typing import Any

import gradio as gr
import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from clinicnum.annotations.explore.facet_names import OUTCOMES
from clinicnum.annotations.explore.flips_between_runs import Flips, flips
from clinicnum.annotations.explore.generation_frame import Frame
from clinicnum.db.work.explore.explore_page_data import Slice
from clinicnum.db.work.explore.generation_list import GenerationLine, generation_lines
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.figure_help import help_button
from clinicnum.ui.components.gradio_page import Outputs
from clinicnum.ui.components.html import note
from clinicnum.ui.components.language import _
from clinicnum.ui.pages.explore.facet_and_figure_wording import ValueNames, ends, points, title
from clinicnum.ui.pages.explore.view_query import FACETS, ViewQuery

PAGE = 25
COLUMNS = (
    Translatable("Question"),
    Translatable("Gold answer"),
    Translatable("Answer read"),
    Translatable("Score"),
    Translatable("Text"),
    Translatable("Run"),
    Translatable("Suggested cause"),
    Translatable("Label"),
    Translatable("Template"),
    Translatable("Representation"),
    Translatable("Variant"),
    Translatable("Patient"),
    Translatable("Item"),
    Translatable("ID"),
)
WIDTHS: list[str | int] = [
    *("220px", "115px", "130px", "100px", "260px", "150px", "170px", "150px"),
    *("200px", "120px", "130px", "110px", "170px", "160px"),
]
FLIPPED = {
    "to_wrong": Translatable("right before, wrong now"),
    "to_right": Translatable("wrong before, right now"),
}


def order_choices() -> list[tuple[str, str]]:
    """(title, facet) by which answers are listed; first the order of the questions."""
    return [(_("order of the questions"), ""), *((title(facet), facet) for facet in FACETS)]


def answers_values(session: Any, found: Slice, asked: ViewQuery, names: ValueNames) -> Outputs:
    """Values for the table of answers and the page number."""
    rows = np.flatnonzero(found.chosen)
    rows = rows[np.argsort(found.frame.instances[rows], kind="stable")]
    if asked.order and asked.order in found.frame.facets:
        rows = rows[np.argsort(_rank(found.frame, asked.order)[rows], kind="stable")]
    return listed(session, found.frame, rows, asked.page, names)


def _rank(frame: Frame, facet: str) -> NDArray[np.int64]:
    """For each row, the place of its first value in the facet's order."""
    of = frame.facet(facet)
    return np.array([one[0] for one in of.sets], dtype=np.int64)[of.codes]


def listed(session: Any, frame: Frame, rows: NDArray[np.intp], page: int, names: ValueNames) -> Outputs:
    """Values for a table of these rows of the frame, and its page number."""
    pages = max(1, -(-len(rows) // PAGE))
    page = min(page, pages)
    shown = rows[(page - 1) * PAGE : page * PAGE]
    lines = generation_lines(session, [key.decode() for key in frame.keys[shown].tolist()])
    cells = [_cells(line, frame, row, names) for line, row in zip(lines, shown.tolist(), strict=True)]
    label = _(
        "Answers {first:,} to {last:,} of {total:,}; click a row to read it with its records",
        first=(page - 1) * PAGE + 1 if len(rows) else 0,
        last=(page - 1) * PAGE + len(cells),
        total=len(rows),
    )
    return (
        gr.update(value=cells, label=label, visible=bool(cells)),
        gr.update(value=page, maximum=pages, info=_("of {pages}", pages=pages), visible=pages > 1),
    )


def _cells(line: GenerationLine, frame: Frame, row: int, names: ValueNames) -> list[str]:
    def named(facet: str) -> str:
        return ", ".join(names(facet, one) for one in frame.facets[facet].values_of(row) if one)

    return [
        shorten(line.question, 300, placeholder=" …"),
        line.gold or _("not documented"),
        line.parsed or "",
        names("status", line.status),
        shorten(line.text, 200, placeholder=" …"),
        names("run", line.run),
        *(named(facet) if facet in frame.facets else "" for facet in ("cause", "label")),
        line.template_id,
        names("representation", line.representation),
        line.variant or "",
        line.subject_id,
        line.instance_id,
        line.key,
    ]


def flips_values(session: Any, found: Slice, asked: ViewQuery, names: ValueNames) -> Outputs:
    """Values for the flips: sentences, the table of the second run's answers and its page number."""
    if not asked.first or not asked.second:
        hidden = gr.update(visible=False)
        return str(note(_("Choose two runs to see what changed from the one to the other."))), hidden, hidden
    of = flips(found.frame, asked.first, asked.second, where=asked.where)
    rows = getattr(of, asked.direction)[1]
    rows = rows[found.found[rows]]
    return _flips_note(of, asked, names), *listed(session, found.frame, rows, asked.page, names)


def _flips_note(of: Flips, asked: ViewQuery, names: ValueNames) -> str:
    one = of.comparison
    if one.undefined or one.difference is None:
        return str(note(_("These two runs have no question in common in this slice."), "warn"))
    told = [
        _(
            "{n:,} questions that both answered: {lost:,} right before and wrong now, {gained:,} wrong "
            "before and right now, {right:,} right in both, {wrong:,} wrong in both.",
            n=one.n,
            lost=one.only_second,
            gained=one.only_first,
            right=of.both_right,
            wrong=of.both_wrong,
        ),
        _(
            "From {first} to {second}: {points} percentage points (95 % interval {interval}, for other "
            "patients, or questions if each is its own subject, and the same templates).",
            first=names("run", asked.first),
            second=names("run", asked.second),
            points=points(one.difference),
            interval=ends(one.interval, signed=True),
        ),
    ]
    if any(asked.where.get(facet) for facet in OUTCOMES):
        told.append(_("Filters on how a question was answered do not restrict which questions are compared."))
    return str(note(Markup("{} {}").format(" ".join(told), help_button("answer_changes"))))


def run_choices(runs: Sequence[str], names: ValueNames) -> list[tuple[str, str]]:
    """(name, row id) of the chosen runs."""
    return [(names("run", run), run) for run in runs]
