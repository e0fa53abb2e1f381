"""Show the text of a context; tables that are drawn in it as tables."""

from itertools import groupby

from markupsafe import Markup

from clinicnum.ui.components.html import table
from clinicnum.ui.components.language import _


def context_view(text: str) -> Markup:
    """A context; tables that are drawn with `|`, as in structured records, are shown as tables."""
    parts = [
        _drawn_table(lines) if drawn else Markup('<pre tabindex="0">{}</pre>').format("\n".join(lines))
        for drawn, lines in context_blocks(text)
    ]
    return Markup("").join(parts)


def context_blocks(text: str) -> list[tuple[bool, list[str]]]:
    """Runs of lines with whether they draw a table: a heading, a line of dashes, and rows."""
    runs = [(drawn, list(lines)) for drawn, lines in groupby(text.splitlines(), key=_is_row)]
    return [(drawn and len(lines) > 2 and not lines[1].strip("|-: "), lines) for drawn, lines in runs]


def table_cells(lines: list[str]) -> list[list[str]]:
    """The cells of a drawn table: its heading, then its rows, without the line of dashes."""
    heading, _dashes, *rows = ([cell.strip() for cell in line.strip()[1:-1].split("|")] for line in lines)
    return [heading, *rows]


def _is_row(line: str) -> bool:
    return len(line := line.strip()) > 1 and line.startswith("|") and line.endswith("|")


def _drawn_table(lines: list[str]) -> Markup:
    heading, *rows = table_cells(lines)
    return table(_("Records"), heading, rows)
