"""A report as Markdown, with the same sections, tables and notes as the HTML.

Tables are those of GitHub Flavored Markdown. Texts by models and people never become markup: characters with
a meaning in Markdown or HTML are escaped, and responses are in code blocks that they cannot close.
"""

import re
from collections.abc import Iterable

from clinicnum.annotations.escape_markdown import escaped
from clinicnum.annotations.report.format_cells import (
    DisplayedColumn,
    displayed_columns,
    notes_of,
    shown,
    small_print,
)
from clinicnum.annotations.report.report_content import (
    Cell,
    Example,
    Finding,
    Report,
    Section,
    SideBySide,
    Table,
)

FILE = "report.md"


def render_markdown(report: Report) -> str:
    """The report as one Markdown document."""
    simulated = "simulated" in report.annotator_kind
    parts = [f"> **{escaped(warning)}**" for warning in report.warnings]
    parts.append(f"# {escaped(report.title)}")
    parts.append(
        "\n".join(
            f"- {escaped(one.label)}: **{escaped(one.value)}** ({escaped(one.note)})"
            for one in report.key_figures
        )
    )
    if report.findings:
        parts += ["## What was found", "\n".join(_finding(one, simulated) for one in report.findings)]
    for section in report.sections:
        parts += _section(section, "simulated: " if simulated and section.holds_labels else "")
    parts.append(f"Made by {escaped(report.generated_by)}. Annotators: {escaped(report.annotator_kind)}.")
    return "\n\n".join(parts) + "\n"


def _finding(one: Finding, simulated: bool) -> str:
    mark = "simulated: " if simulated and one.holds_labels else ""
    files = ", ".join(f"{table}.csv" for table in (one.table, *one.more_tables))
    return f"- **{escaped(one.topic)}:** {mark}{escaped(one.text)} See {files}."


def _section(section: Section, mark: str) -> list[str]:
    parts = [f"## {escaped(section.title)}", *(escaped(text) for text in section.paragraphs)]
    parts += [f"*{escaped(mark + plot.caption)}* {escaped(plot.alt)}" for plot in section.plots]
    for table in section.tables:
        parts += table_markdown(table, mark)
    parts += [_side_by_side(one) for one in section.side_by_side]
    return [*parts, *(_example(one) for one in section.examples)]


def table_markdown(table: Table, mark: str = "") -> list[str]:
    """Caption, table, remarks and data source, each as a block of its own."""
    laid, notes = displayed_columns(table), notes_of(table)
    heads = [" ".join(filter(None, (one.column.group, one.column.label))) for one in laid]
    rules = ["---" if one.column.kind in ("text", "code") else "---:" for one in laid]
    lines = [_line(escaped(head) for head in heads), _line(rules)]
    lines += [_line(_cell(one, notes, row) for one in laid) for row in table.rows]
    parts = [f"**{escaped(mark + table.caption)}**", "\n".join(lines) if table.rows else "None."]
    if notes:
        parts.append("\n".join(f"{number}. {escaped(text)}" for text, number in notes.items()))
    return [*parts, f"{escaped(table.note)} Figures: {table.id}.csv, counted from {escaped(table.trace)}."]


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(block: DisplayedColumn, notes: dict[str, int], row: tuple[Cell, ...]) -> str:
    cell, kind = row[block.at], block.column.kind
    if kind == "note":
        return str(notes[cell]) if isinstance(cell, str) else ""
    small = small_print(block, row)
    return escaped(shown(cell, kind)) + (f" ({'; '.join(escaped(one) for one in small)})" if small else "")


def _fenced(text: str) -> str:
    """The text in a code block that it cannot close."""
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence}text\n{text}\n{fence}"


def _side_by_side(one: SideBySide) -> str:
    parts = [f"### {escaped(one.title)} ({escaped(one.instance_id)})", escaped(one.question)]
    for answer in one.answers:
        parts += [f"{escaped(answer.model)}: {escaped(answer.verdict)}", _fenced(answer.text)]
    return "\n\n".join(
        [*parts, "\n".join(f"- {escaped(name)}: {escaped(value)}" for name, value in one.facts)]
    )


def _example(example: Example) -> str:
    text = "".join(span.text for span in example.text)
    facts = "\n".join(f"- {escaped(name)}: {escaped(value)}" for name, value in example.facts)
    said = "\n".join(
        f"- {escaped(one.annotator)} ({escaped(one.kind)}): {escaped(one.judgement)}; {escaped(one.labels)}; "
        f"severity {escaped(one.severity)}; {escaped(one.rationale)}"
        for one in example.opinions
    )
    head = f"### {escaped(example.title)} ({escaped(example.generation_id)})"
    return "\n\n".join([head, escaped(example.question), _fenced(text), facts, said])
