"""What the judgements come to: consensus, adjudication due, contests, and the scorer against people."""

from collections import Counter

from annotations.report.model import Cell, Column, Section, Table
from annotations.report.view import StudyView
from annotations.types import ITEM_JUDGEMENTS, RESPONSE_JUDGEMENTS

_STATUSES = ("correct", "incorrect", "unparsable", "abstained", "empty", "truncated")


def settlement_section(view: StudyView) -> Section:
    """Consensus by majority of at least two; ties stay open."""
    due = sum(bool(one.due) for one in view.settlements)
    return Section(
        id="consensus",
        title="What the judgements come to",
        paragraphs=(
            f"{len(view.settlements)} generations were judged; {due} need an adjudicator, because the item "
            "or response judgement or the primary class differs, or severity by 2 or more.",
        ),
        tables=(_consensus(view), _scorer(view), _due(view), _contests(view)),
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
        id="consensus",
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


def _scorer(view: StudyView) -> Table:
    cells: Counter[tuple[str, str]] = Counter(
        (view.score(one.generation_id).status, one.response.label or "no consensus")
        for one in view.settlements
    )
    outcomes = [*RESPONSE_JUDGEMENTS, "no consensus"]
    rows = tuple(
        (status, *(cells[status, outcome] for outcome in outcomes))
        for status in _STATUSES
        if any(cells[status, outcome] for outcome in outcomes)
    )
    return Table(
        id="scorer_against_consensus",
        caption="The scorer against the consensus",
        note=f"Unit: generations that were judged, unweighted; n = {len(view.settlements)}.",
        trace="scores.csv: status, generation_id; annotations.csv: response_judgement",
        columns=(
            Column(key="status", label="Scored as"),
            *(Column(key=one, label=one.replace("_", " "), kind="count") for one in outcomes),
        ),
        rows=rows,
    )


def _due(view: StudyView) -> Table:
    open_items = [one for one in view.settlements if one.due]
    return Table(
        id="adjudication_due",
        caption="Due for adjudication",
        note=f"Unit: generations; n = {len(open_items)} of {len(view.settlements)} judged.",
        trace="annotations.csv: generation_id",
        columns=(
            Column(key="generation_id", label="Generation", kind="code"),
            Column(key="operation", label="Operation"),
            Column(key="judgements", label="Judgements", kind="count"),
            Column(key="reasons", label="Why"),
        ),
        rows=tuple(
            (
                one.generation_id,
                view.instance(one.generation_id).operation,
                one.judgements,
                "; ".join(one.due).replace("_", " "),
            )
            for one in open_items
        ),
    )


def _contests(view: StudyView) -> Table:
    contests = view.tables.contests
    return Table(
        id="contests",
        caption="Contested items",
        note=f"Unit: contests; n = {len(contests)}. Accuracy above counts every item, contested or not.",
        trace="annotations.csv: item_judgement, proposed_gold, generation_id",
        columns=(
            Column(key="contest_id", label="Contest", kind="code"),
            Column(key="instance_id", label="Instance", kind="code"),
            Column(key="kind", label="Claim"),
            Column(key="gold", label="Gold"),
            Column(key="proposed_gold", label="Proposed"),
            Column(key="status", label="Status"),
        ),
        rows=tuple(
            (
                one.contest_id,
                view.instance(one.generation_id).instance_id,
                one.kind.replace("_", " "),
                view.instance(one.generation_id).answer,
                one.proposed_gold,
                one.status,
            )
            for one in contests
        ),
    )
