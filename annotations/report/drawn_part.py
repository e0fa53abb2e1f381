"""From which part of the generations a study was drawn, where that is not all of them."""

from clinicnum.annotations.report.study_view import StudyView


def is_part(view: StudyView) -> bool:
    """Whether a filter or a slice kept generations of the runs from being drawn."""
    if view.tables.design is None:
        return False
    where = view.tables.design.where
    return bool(
        where.operations or where.representations or where.template_ids or where.statuses or where.slice
    )


def part_said(view: StudyView) -> str:
    """That figures on labels speak of a part of the generations, as a sentence after others; else empty."""
    if not is_part(view) or view.tables.design is None:
        return ""
    where = view.tables.design.where
    named = {
        "operation": where.operations,
        "representation": where.representations,
        "template": where.template_ids,
        "status": where.statuses,
    }
    parts = [f"{name} {' or '.join(values)}" for name, values in named.items() if values]
    parts += [where.slice] * bool(where.slice)
    return f" Drawn from a part of the generations only ({'; '.join(parts)}), of which alone this speaks."
