"""What the judgements come to: consensus by majority, and what is due for adjudication."""

from collections import Counter

from annotations.report.model import Cell, Column, Section, Table
from annotations.report.view import StudyView
from annotations.types import ITEM_JUDGEMENTS, RESPONSE_JUDGEMENTS


def settlement_section(view: StudyView) -> Section:
    """Consensus by majority of at least two; ties stay open."""
    due = sum(bool(one.due) for one in view.settlements)
    decided = sum(bool(one.due) and one.generation_id in view.decisions for one in view.settlements)
    return Section(
        id="settlement",
        title="What the judgements come to",
        paragraphs=(
            f"{len(view.settlements)} generations were judged; {due} need an adjudicator, because the item "
            "or response judgement or the primary class differs, or severity by 2 or more; a decision stands "
            f"on {decided} of them.",
        ),
        tables=(_consensus(view), _due(view)),
    )


def _consensus(view: StudyView) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for what, order, values in (
        ("item", ITEM_JUDGEMENTS, [one.item.label for one in view.settlements]),
        ("response", RESPONSE_JUDGEMENTS, [one.response.label for one in view.settlements]),
    ):
        counts = Counter(values)
        rows += [(what, label.replace("_", " "), counts[label]) for label in order]
        rows.append((what, "no consensus", counts[None]))
    return Table(
        id="consensus_majority",
        caption="Consensus by majority",
        note=f"Unit: generations; n = {len(view.settlements)}. More than half of at least two judgements.",
        trace="annotations.csv: item_judgement, response_judgement, generation_id",
        columns=(
            Column(key="what", label="Judgement of"),
            Column(key="consensus", label="Consensus"),
            Column(key="n", label="Generations", kind="count"),
        ),
        rows=tuple(rows),
    )


def _due(view: StudyView) -> Table:
    open_items = [one for one in view.settlements if one.due]
    return Table(
        id="adjudication_due",
        caption="Due for adjudication",
        note=f"Unit: generations; n = {len(open_items)} of {len(view.settlements)} judged.",
        trace="annotations.csv: generation_id; adjudications.csv: generation_id, stands",
        columns=(
            Column(key="generation_id", label="Generation", kind="code"),
            Column(key="operation", label="Operation"),
            Column(key="judgements", label="Judgements", kind="count"),
            Column(key="reasons", label="Why"),
            Column(key="decided", label="Decided"),
        ),
        detail=True,
        rows=tuple(
            (
                one.generation_id,
                view.instance(one.generation_id).operation,
                one.judgements,
                "; ".join(one.due).replace("_", " "),
                "yes" if one.generation_id in view.decisions else "no",
            )
            for one in open_items
        ),
    )
