"""The section on the consensus: by the study's protocol, by a second one, and what is undecided."""

from collections import Counter
from collections.abc import Callable, Iterator

from clinicnum.annotations.consensus import Settlement
from clinicnum.annotations.consensus.generation_consensus import NO_CODE
from clinicnum.annotations.judgement import ITEM_JUDGEMENTS
from clinicnum.annotations.report.judgements_with_decisions import DECISIONS
from clinicnum.annotations.report.question_summary import made_elsewhere
from clinicnum.annotations.report.report_content import Cell, Column, Section, Table
from clinicnum.annotations.report.sections.annotator_table_helpers import spoken
from clinicnum.annotations.report.sections.consensus_wording import (
    BESIDE,
    DIFFER,
    beside_columns,
    by,
    hidden,
    lacking_said,
    on_labels,
    rule_said,
    severity_rule,
)
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.study_kind import RESPONSE_JUDGEMENTS
from clinicnum.stats.jackknife import how_many

LISTED = 200
_READ: tuple[tuple[str, str, Callable[[Settlement], str | None]], ...] = (
    ("item", "Item", lambda one: one.item.label),
    ("response", "Response", lambda one: one.response.label),
    ("primary", "Primary class", lambda one: one.primary.label),
    ("severity", "Severity", lambda one: one.severity),
)


def settlement_section(view: StudyView) -> Section:
    """The consensus by the study's protocol; ties stay unresolved."""
    due = sum(bool(one.due) for one in view.settlements)
    decided = sum(bool(one.due) and one.generation_id in view.decisions for one in view.settlements)
    return Section(
        id="settlement",
        title="What the judgements come to",
        paragraphs=(
            f"{len(view.settlements)} generations were judged{hidden(view)}; {due} "
            f"{'needs' if due == 1 else 'need'} an adjudicator{on_labels(view)}, "
            f"because {DIFFER}; a decision stands on {decided} of them{lacking_said(view)}.",
            f"Failures and their classes are counted {by(view.protocol)}, severity by {severity_rule(view)}."
            + (f" Counts {by(view.protocol_beside)} stand beside them." if view.protocol_beside else ""),
        ),
        tables=(settled_table(view), *differs_table(view), _due(view)),
    )


def settled_table(view: StudyView) -> Table:
    """Number of generations by consensus label."""
    classes = [one.code for one in view.tables.taxonomy_codes if "." not in one.code]
    instances = len({view.question(one.generation_id) for one in view.settlements})
    orders = {"item": ITEM_JUDGEMENTS, "response": RESPONSE_JUDGEMENTS, "primary": (*classes, NO_CODE)}
    rows: list[tuple[Cell, ...]] = []
    for what, _, read in _READ[:-1]:
        counts = Counter(read(one) for one in view.settlements)
        beside = Counter(read(one) for one in view.settlements_beside)
        for label in (*orders[what], None):
            other = (beside[label],) if view.protocol_beside else ()
            rows.append((what, _name(view, label), counts[label], *other))
    return Table(
        id="consensus_settled",
        caption=f"Consensus {by(view.protocol)}",
        note=f"Unit: generations, on {how_many(instances, 'instance')}, of which each counts once for each "
        f"answer that was judged; n = {len(view.settlements)}. {rule_said(view)}",
        trace=f"{BESIDE}; scores.csv: instance_id",
        columns=(
            Column(key="what", label="Judgement of"),
            Column(key="consensus", label="Consensus"),
            Column(key="n", label="Generations", kind="count"),
            *beside_columns(view, Column(key="beside_n", label="Generations", kind="count")),
        ),
        rows=tuple(rows),
    )


def _name(view: StudyView, label: str | None) -> str:
    return "no consensus" if label is None else view.names.get(label, spoken(label))


def differs_table(view: StudyView) -> tuple[Table, ...]:
    """Table of the generations on which the two protocols differ; an empty tuple if there is only one
    protocol.
    """
    if view.protocol_beside is None:
        return ()
    rows = list(differing_settlements(view))
    return (
        Table(
            id="consensus_differs",
            caption=f"Where consensus {by(view.protocol)} and {by(view.protocol_beside)} differ",
            note=f"Unit: generations; n = {len(rows)} of {len(view.settlements)} judged{hidden(view)}, at "
            f"most {LISTED} shown. A dash: not settled; of severity also: no failure.",
            trace=BESIDE,
            detail=True,
            columns=(
                Column(key="generation_id", label="Generation", kind="code"),
                *(Column(key=key, label=name) for key, name, _ in _READ),
                *beside_columns(view, *(Column(key=f"beside_{key}", label=name) for key, name, _ in _READ)),
            ),
            rows=tuple(rows[:LISTED]),
        ),
    )


def differing_settlements(view: StudyView) -> Iterator[tuple[Cell, ...]]:
    """A row of the table of differences for each generation on which the two protocols differ."""
    for one, other in zip(view.settlements, view.settlements_beside, strict=True):
        mine, theirs = ([read(settled) for _, _, read in _READ] for settled in (one, other))
        if mine != theirs:
            yield one.generation_id, *(_shown(view, label) for label in (*mine, *theirs))


def _shown(view: StudyView, label: str | None) -> str | None:
    return None if label is None else _name(view, label)


def _due(view: StudyView) -> Table:
    open_items = [one for one in view.settlements if one.due]
    return Table(
        id="adjudication_due",
        caption=f"Answers that need an adjudicator{on_labels(view)}, decided or not",
        note=f"Unit: generations; n = {len(open_items)} of {len(view.settlements)} judged{hidden(view)}"
        f"{lacking_said(view)}.{f' For ticks: “{DECISIONS}”.' * bool(on_labels(view))}",
        trace="consensus.csv: generation_id, due, decided, judgements; scores.csv: operation",
        columns=(
            Column(key="generation_id", label="Generation", kind="code"),
            Column(key="operation", label="Operation", once=made_elsewhere(view.tables.instances)),
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
