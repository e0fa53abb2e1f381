"""The tables of a report as LaTeX: one file per table, and a document that includes them all.

They need booktabs, graphicx, longtable and array, which every TeX distribution has, and compile with pdfTeX.
Cell texts cannot run as commands. Characters for which pdfTeX has no glyph are shown by their
code point, so every text compiles and none is lost silently.
"""

import re

from clinicnum.annotations.report.format_cells import (
    DisplayedColumn,
    displayed_columns,
    is_total,
    notes_of,
    shown,
    small_print,
)
from clinicnum.annotations.report.report_content import Cell, Report, Table

DOCUMENT = "tables.tex"
LONG = 34
"""Tables with more rows may break across pages."""
_PIECE = 24
"""Letters after which a longer word may break."""
_GLYPHS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "-": "-{}",
    "−": "$-$",
    "–": "--",
    "—": "---",
    "…": r"\ldots{}",
    "“": "``",
    "”": "''",
    "‘": "`",
    "’": "'",
    "\u202f": r"\,",
    "\u00a0": "~",
    "°": r"\textdegree{}",
    "±": r"$\pm$",
    "×": r"$\times$",
    "²": r"\textsuperscript{2}",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "\n": " ",
    "\t": " ",
    "\r": " ",
}
_NOT_PLAIN = re.compile(f"[^ -~]|[{re.escape(''.join(_GLYPHS))}]")
_PREAMBLE = r"""\documentclass[10pt]{article}
\usepackage[T1]{fontenc}
\usepackage{textcomp}
\usepackage[a4paper,landscape,margin=18mm]{geometry}
\usepackage{array,booktabs,graphicx,longtable}
\setlength{\emergencystretch}{3em}
\begin{document}
"""


def escaped(text: str) -> str:
    """LaTeX that prints the text literally."""
    return _NOT_PLAIN.sub(lambda found: _glyph(found[0]), text)


def _glyph(one: str) -> str:
    if one in _GLYPHS:
        return _GLYPHS[one]
    return one if one.isascii() and one.isprintable() else rf"\texttt{{U+{ord(one):04X}}}"


def report_latex(report: Report) -> dict[str, str]:
    """File name -> LaTeX: one file per table, and `tables.tex`, which includes them and compiles as it is."""
    mark = "simulated: " if "simulated" in report.annotator_kind else ""
    files = {
        f"{table.id}.tex": table_latex(table, mark if section.holds_labels else "")
        for section in report.sections
        for table in section.tables
    }
    parts = [_PREAMBLE, rf"\section*{{{escaped(report.title)}}}", f"{escaped(report.generated_by)}. "]
    parts += [rf"\noindent {escaped(warning)}\par" for warning in report.warnings]
    for section in report.sections:
        if section.tables:
            parts.append(rf"\clearpage\subsection*{{{escaped(section.title)}}}")
            parts += [rf"\input{{{table.id}.tex}}" for table in section.tables]
    files |= {DOCUMENT: "\n".join([*parts, r"\end{document}", ""])}
    if report.data_use:
        files = {name: f"% {escaped(report.data_use)}\n{text}" for name, text in files.items()}
    return files


def table_latex(table: Table, mark: str = "") -> str:
    """One table with its caption, label `tab:ID`, notes and n."""
    laid, notes = displayed_columns(table), notes_of(table)
    lines = _lines(table, laid, notes) or [r"\multicolumn{1}{l}{None.}\\"]
    head = "\n".join(
        [r"\toprule", *_groups(laid), " & ".join(_head(one) for one in laid) + r"\\", r"\midrule"]
    )
    caption = rf"\caption{{{escaped(mark + table.caption)}}}\label{{tab:{table.id}}}"
    below = [
        *(rf"\textsuperscript{{{number}}} {escaped(text)}." for text, number in notes.items()),
        escaped(table.note),
        rf"Counted from {escaped(table.trace)}.",
    ]
    foot = "\n".join(rf"{{\footnotesize\noindent {text}\par}}" for text in below)
    wide = len(table.rows) > LONG
    shape = "".join(_shape(one, laid, wide=wide) for one in laid)
    if wide:
        body = [
            rf"\begin{{longtable}}{{{shape}}}",
            caption + r"\\",
            head,
            r"\endhead",
            *lines,
            r"\bottomrule",
        ]
        return "\n".join([r"{\scriptsize", *body, r"\end{longtable}}", foot, ""])
    inner = [rf"\begin{{tabular}}{{{shape}}}", head, *lines, r"\bottomrule", r"\end{tabular}%"]
    fitted = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"
    start = [r"\begin{table}[htbp]", r"\centering\small", caption, fitted, *inner, "}", r"\par\medskip"]
    return "\n".join([*start, foot, r"\end{table}", ""])


def _shape(block: DisplayedColumn, laid: tuple[DisplayedColumn, ...], *, wide: bool) -> str:
    if block.column.kind not in ("text", "code"):
        return "c" if block.column.kind == "note" else "r"
    if not wide:
        return "l"
    texts = sum(one.column.kind in ("text", "code") for one in laid)
    share = 0.85 * texts / len(laid) / texts
    return rf">{{\raggedright\arraybackslash}}p{{{share:.3f}\linewidth}}"


def _head(block: DisplayedColumn) -> str:
    return escaped(block.column.label)


def _groups(laid: tuple[DisplayedColumn, ...]) -> list[str]:
    """The heading row that spans columns, with its rules; empty without such headings."""
    runs: list[tuple[str, int]] = []
    for block in laid:
        name, span = block.column.group or "", 1
        if runs and runs[-1][0] == name:
            span += runs.pop()[1]
        runs.append((name, span))
    if not any(name for name, _ in runs):
        return []
    cells, rules, at = [], [], 1
    for name, span in runs:
        cells.append(rf"\multicolumn{{{span}}}{{c}}{{{escaped(name)}}}")
        if name:
            rules.append(rf"\cmidrule(lr){{{at}-{at + span - 1}}}")
        at += span
    return [" & ".join(cells) + r"\\", "".join(rules)]


def _lines(table: Table, laid: tuple[DisplayedColumn, ...], notes: dict[str, int]) -> list[str]:
    """The rows, with a rule before the first total."""
    lines, before = [], True
    for row in table.rows:
        total = is_total(table, row)
        if total and not before:
            lines.append(r"\midrule")
        before = total
        lines.append(" & ".join(_cell(one, notes, row, bold=total) for one in laid) + r"\\")
    return lines


def _cell(block: DisplayedColumn, notes: dict[str, int], row: tuple[Cell, ...], *, bold: bool) -> str:
    cell, kind = row[block.at], block.column.kind
    if kind == "note":
        return f"{notes[cell]}" if isinstance(cell, str) else ""
    text = _breakable(escaped(shown(cell, kind))) if kind == "code" else escaped(shown(cell, kind))
    if bold:
        text = rf"\textbf{{{text}}}"
    small = [escaped(one) for one in small_print(block, row)]
    if not small:
        return text
    lines = r"\\".join([text, *(rf"{{\scriptsize {one}}}" for one in small)])
    return rf"\begin{{tabular}}[t]{{@{{}}r@{{}}}}{lines}\end{{tabular}}"


def _breakable(text: str) -> str:
    """The text with permitted breaks in long words, such as hashes and paths."""
    return re.sub(rf"([A-Za-z0-9]{{{_PIECE}}})(?=[A-Za-z0-9])", r"\1\\allowbreak{}", text)
