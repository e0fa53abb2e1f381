"""Domain objects as what the pages show: plain dicts and escaped HTML. No Gradio, no database."""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup, escape

from annotations.taxonomy import Taxonomy
from annotations.types import Judgement, User
from annotations.workitem import Workitem
from clinicnum.prompt import option_letter
from clinicnum.types import TIME_FORMAT, Cell, Record, Vital

COLUMNS: tuple[tuple[Vital, str], ...] = (
    ("temperature_c", "Temp °C"),
    ("heart_rate_bpm", "HR bpm"),
    ("resp_rate_bpm", "RR /min"),
    ("spo2_pct", "SpO₂ %"),
    ("sbp_mmhg", "SBP mmHg"),
    ("dbp_mmhg", "DBP mmHg"),
    ("pain", "Pain"),
)
MISSING = "–"


def record_table(records: Sequence[Record]) -> dict[str, Any]:
    """Columns and rows of text; a vital that no record has is left out."""
    shown = _shown(records)
    return {
        "columns": ["Time", *(title for _, title in shown)],
        "rows": [
            [record.charttime.strftime(TIME_FORMAT), *(_cell(record, vital) for vital, _ in shown)]
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
    """[row, column] of each evidence cell in the table that `record_table` makes."""
    columns = {vital: place for place, (vital, _) in enumerate(_shown(records), start=1)}
    return [[cell.record, columns[cell.vital]] for cell in cells if cell.vital in columns]


def form_of(judgement: Judgement | None) -> dict[str, Any] | None:
    """A saved judgement as the page's form."""
    if judgement is None:
        return None
    primary = next((label.code for label in judgement.labels if label.primary), None)
    return {
        "item_judgement": judgement.item_judgement,
        "proposed_gold": judgement.proposed_gold or "",
        "response_judgement": judgement.response_judgement,
        "primary": primary,
        "further": [label.code for label in judgement.labels if not label.primary],
        "severity": judgement.severity,
        "confidence": judgement.confidence,
        "rationale": judgement.rationale or "",
    }


def workitem_view(item: Workitem) -> dict[str, Any]:
    """One assignment for the annotate page; text stays text, the page sets it as such."""
    view = item.instance
    reveal = item.reveal
    return {
        "assignment_id": item.assignment_id,
        "revision": item.revision,
        "answered": item.status == "submitted",
        "study": item.study_name,
        "progress": {"done": item.progress.done, "total": item.progress.total},
        "question": view.question,
        "context": view.context,
        "representation": view.representation,
        "options": [f"{option_letter(place)}. {text}" for place, text in enumerate(view.options)],
        "table": record_table(view.records),
        "givens": [f"{g.name}: {g.value}{' ' + g.unit if g.unit else ''}" for g in view.givens],
        "text": item.text,
        "draft": item.draft or form_of(item.judgement),
        "reveal": None
        if reveal is None
        else {
            "answer": "not documented" if reveal.answer is None else _with_unit(reveal.answer, view.unit),
            "worked": list(reveal.worked),
            "evidence": evidence_places(reveal.evidence, view.records),
            "status": reveal.score_status,
            "parsed": reveal.parsed,
            "reason": reveal.reason,
        },
    }


def _with_unit(answer: str, unit: str | None) -> str:
    return f"{answer} {unit}" if unit else answer


def taxonomy_view(taxonomy: Taxonomy) -> list[dict[str, Any]]:
    """Classes with their keys and sub-classes, for the annotate page."""
    return [
        {
            "code": group.code,
            "key": group.key,
            "name": group.name,
            "definition": group.definition,
            "subs": [
                {"code": f"{group.code}.{s.code}", "key": s.key, "name": s.name, "definition": s.definition}
                for s in group.sub_classes
            ],
        }
        for group in taxonomy.classes
    ]


def severity_view(taxonomy: Taxonomy) -> list[dict[str, str]]:
    """Severity levels with their keys: 0 to 4, and `-` for not applicable."""
    return [
        {
            "value": level.level,
            "key": "-" if level.level == "not_applicable" else level.level,
            "short": "n/a" if level.level == "not_applicable" else level.level,
            "name": level.name,
            "example": level.examples[0],
        }
        for level in taxonomy.severities
    ]


def navigation(user: User, pages: Sequence[tuple[str, str]], current: str) -> Markup:
    """The bar on top: the pages (title, path) the user may open, who they are, and the way out."""
    links = Markup(" ").join(
        Markup('<a href="{}/"{}>{}</a>').format(
            path, Markup(' aria-current="page"') if path == current else "", title
        )
        for title, path in pages
    )
    return Markup(
        '<nav class="cn-nav" aria-label="Pages"><strong>clinicnum</strong>{}'
        '<form method="post" action="/logout"><span class="cn-muted">{} ({})</span>'
        '<button class="cn-button cn-quiet" type="submit">Log out</button></form></nav>'
    ).format(links, user.name, user.role)


def note(text: str, tone: str = "") -> Markup:
    """A message box; tone is empty, `warn` or `bad`."""
    role = "alert" if tone == "bad" else "status"
    return Markup('<div class="cn-note {}" role="{}">{}</div>').format(
        f"cn-{tone}" if tone else "", role, text
    )


def table(
    caption: str, columns: Sequence[str], rows: Sequence[Sequence[object]], prose: Sequence[int] = ()
) -> Markup:
    """A table with a caption; `prose` are the indices of columns of text, set to the left and wrapped."""

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
        "<caption>{}</caption><thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>"
    ).format(caption, caption, head, body)


def fold(summary: str, content: Markup) -> Markup:
    """Content below a line that opens it."""
    return Markup("<details><summary>{}</summary>{}</details>").format(summary, content)


def framed(content: Markup) -> str:
    """Content in the page's column, as what `gr.HTML` takes."""
    return str(Markup('<div class="cn-page">{}</div>').format(content))
