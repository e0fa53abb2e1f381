"""Annotators on control items: how often each agrees with the reference judgement."""

from collections.abc import Sequence

from clinicnum.annotations.reliability.control_items import AgainstReference, against_references
from clinicnum.annotations.report.report_content import Cell, Column, Table
from clinicnum.annotations.report.sections.annotator_table_helpers import cells, why
from clinicnum.annotations.report.study_view import StudyView


def control_results(view: StudyView) -> tuple[AgainstReference, ...]:
    """Each annotator's results on the control items; empty if no reference is known."""
    known = view.tables.references
    given = [one for one in view.tables.annotations if one.generation_id in known]
    return against_references(given, known, view.subjects)


def known_before(view: StudyView) -> tuple[int, int]:
    """(n, total): of the first judgements of control items, n were made with the gold already seen on another
    item; n is 0 for scripts, which always see it.
    """
    firsts = [one for one in view.tables.annotations if one.round == "control" and one.revision == 1]
    return (0 if view.chosen.scripted else sum(one.reference_known for one in firsts)), len(firsts)


def followed(view: StudyView) -> str:
    """A sentence on how many first judgements of control items followed the gold seen on another item; empty
    if none.
    """
    n, of = known_before(view)
    return (
        f" Before {n} of the {of} first judgements on them the annotator had seen the reference of the same "
        "question (group_id) beside another answer."
    ) * bool(n)


def controls_table(rows: Sequence[AgainstReference], more: str = "") -> Table:
    """One row per annotator on control items; `more` is added to the note."""
    found: list[tuple[Cell, ...]] = []
    for one in rows:
        reasons = dict.fromkeys(reason for reason in (why(one.response), why(one.primary)) if reason)
        found.append(
            (
                one.annotator,
                one.response.n,
                *cells(one.response),
                *cells(one.primary),
                "; ".join(reasons) or None,
            )
        )
    return Table(
        id="annotators_controls",
        caption="Annotators on control items",
        note="Unit: control items, whose reference judgement was known beforehand, hidden among the others; "
        "n in the row. Right: the reference's response judgement, and its primary class or none. Such items "
        f"are in no agreement.{more}",
        trace="annotations.csv: round, generation_id, annotator_id, response_judgement, primary; references "
        "as the study keeps them",
        columns=(
            Column(key="annotator", label="Annotator", kind="code"),
            Column(key="n", label="n", kind="count"),
            Column(key="response", label="Response right", kind="share"),
            Column(key="response_ci95", label="95 % interval", kind="share_interval", under=True),
            Column(key="primary", label="Primary class right", kind="share"),
            Column(key="primary_ci95", label="95 % interval", kind="share_interval", under=True),
            Column(key="remark", label="Note", kind="note"),
        ),
        rows=tuple(found),
    )
