"""A table of the report as HTML in the pages' own look: the same cells in the same characters."""

from markupsafe import Markup

from clinicnum.annotations.report.cells import Block, blocks, notes_of, shown, small_print
from clinicnum.annotations.report.model import Cell, Table

TEXT_KINDS = ("text", "code")


def report_table(table: Table) -> Markup:
    """The table with its caption, its unit, and its remarks once each below it."""
    notes = notes_of(table)
    laid = [one for one in blocks(table) if notes or one.column.kind != "note"]
    head = Markup("").join(
        Markup('<th scope="col"{}>{}</th>').format(_left(one), one.column.label) for one in laid
    )
    body = Markup("").join(
        Markup("<tr>{}</tr>").format(Markup("").join(_cell(one, notes, row) for one in laid))
        for row in table.rows
    )
    remarks = Markup("").join(
        Markup('<p class="cn-muted">({}) {}.</p>').format(number, text) for text, number in notes.items()
    )
    frame = Markup(
        '<div class="cn-table-wrap" tabindex="0" role="region" aria-label="{caption}">'
        '<table class="cn-table"><caption>{caption}</caption><thead><tr>{head}</tr></thead>'
        '<tbody>{body}</tbody></table></div><p class="cn-muted">{note}</p>{remarks}'
    )
    return frame.format(caption=table.caption, head=head, body=body, note=table.note, remarks=remarks)


def _left(block: Block) -> Markup:
    return Markup(' class="cn-left"') if block.column.kind in TEXT_KINDS else Markup("")


def _cell(block: Block, notes: dict[str, int], row: tuple[Cell, ...]) -> Markup:
    cell, kind = row[block.at], block.column.kind
    if kind == "note":
        return Markup("<td>{}</td>").format(f"({notes[cell]})" if isinstance(cell, str) else "")
    small = "; ".join(small_print(block, row))
    under = Markup('<small class="ag-under">{}</small>').format(small) if small else Markup("")
    return Markup("<td{}>{}{}</td>").format(_left(block), shown(cell, kind), under)
