"""Annotators on control items: how often each agrees with the reference judgement."""

from collections.abc import Sequence

from clinicnum.annotations.reliability.control_items import AgainstReference
from clinicnum.annotations.report.report_content import Cell, Column, Table
from clinicnum.annotations.report.sections.annotator_questions import cells, why


def controls_table(rows: Sequence[AgainstReference]) -> Table:
    """One row per annotator."""
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
        note="Unit: control items, whose reference judgement was known beforehand; n in the row. Right: the "
        "reference's response judgement, and its primary class or none. Such items are in no agreement.",
        trace="annotations.csv: round, generation_id, annotator_id, response_judgement, primary",
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
