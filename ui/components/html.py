"""Convert domain objects to plain dicts and escaped HTML for the pages. No Gradio, no database."""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup, escape

from clinicnum.translatable_text import Translatable
from clinicnum.types import TIME_FORMAT, Cell, Record, Vital
from clinicnum.ui.components.language import _

COLUMNS: tuple[tuple[Vital, str], ...] = (
    ("temperature_c", Translatable("Temp °C")),
    ("heart_rate_bpm", Translatable("HR bpm")),
    ("resp_rate_bpm", Translatable("RR /min")),
    ("spo2_pct", Translatable("SpO₂ %")),
    ("sbp_mmhg", Translatable("SBP mmHg")),
    ("dbp_mmhg", Translatable("DBP mmHg")),
    ("pain", Translatable("Pain")),
)
MISSING = "–"
CONTENT_ID = "content"
"""The id of the element below the navigation bar in which a page's content begins."""


def record_table(records: Sequence[Record]) -> dict[str, Any]:
    """The records as a table of text.

    Has `columns`, `vitals` (one per column after the time), `minutes` since the earliest record (one per row)
    and `rows`. A vital that no record has gets no column.
    """
    shown = _shown(records)
    start = min((record.charttime for record in records), default=None)
    return {
        "columns": [_("Time"), *(_(title) for vital, title in shown)],
        "vitals": [vital for vital, title in shown],
        "minutes": [(record.charttime - start).total_seconds() / 60 for record in records if start],
        "rows": [
            [record.charttime.strftime(TIME_FORMAT), *(_cell(record, vital) for vital, title in shown)]
            for record in records
        ],
    }


def _shown(records: Sequence[Record]) -> list[tuple[Vital, str]]:
    return [(v, t) for v, t in COLUMNS if any(getattr(record, v) is not None for record in records)]


def _cell(record: Record, vital: Vital) -> str:
    value = getattr(record, vital)
    if value is None:
        return MISSING
    return f"{value:.1f}" if vital == "temperature_c" else str(value)


def evidence_places(cells: Sequence[Cell], records: Sequence[Record]) -> list[list[int]]:
    """[row, column] of each evidence cell in the table that `record_table` returns."""
    columns = {vital: place for place, (vital, title) in enumerate(_shown(records), start=1)}
    return [[cell.record, columns[cell.vital]] for cell in cells if cell.vital in columns]


def capitalized(text: str) -> str:
    """A message with its first letter in upper case, unless it begins with the name of a file or a field."""
    first = text.partition(" ")[0]
    is_name = first.endswith(":") or not set("./:_").isdisjoint(first[:-1])
    return text if is_name else text[:1].upper() + text[1:]


def note(text: str, tone: str = "") -> Markup:
    """A message box; `tone` is empty, `good`, `warn` or `bad`."""
    role = "alert" if tone == "bad" else "status"
    return Markup('<div class="cn-note {}" role="{}">{}</div>').format(
        f"cn-{tone}" if tone else "", role, text
    )


def table(
    caption: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    prose: Sequence[int] = (),
    *,
    what: Markup = Markup(""),  # noqa: B008 - immutable
) -> Markup:
    """A table with a caption; `prose` lists the indices of text columns, to be left-aligned and wrapped.

    `what` is the `?` beside the caption, for a table with figures.
    """

    def css(place: int, kind: str) -> Markup:
        return Markup(' class="{}"').format(kind) if place in prose else Markup("")

    head = Markup("").join(
        Markup('<th scope="col"{}>{}</th>').format(css(place, "cn-left"), name)
        for place, name in enumerate(columns)
    )
    body = Markup("").join(
        Markup("<tr>{}</tr>").format(
            Markup("").join(
                Markup("<td{}>{}</td>").format(css(place, "cn-left cn-wrap"), escape(cell))
                for place, cell in enumerate(row)
            )
        )
        for row in rows
    )
    return Markup(
        '<div class="cn-table-wrap" tabindex="0" role="region" aria-label="{}"><table class="cn-table">'
        "<caption>{} {}</caption><thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>"
    ).format(caption, caption, what, head, body)


def framed(content: Markup) -> str:
    """The content inside the page's column, as a string for `gr.HTML`."""
    return str(Markup('<div class="cn-page">{}</div>').format(content))
