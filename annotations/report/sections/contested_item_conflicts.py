"""Contradictions between decisions on contests and labels of the same question."""

from collections.abc import Iterator, Mapping, Set

from clinicnum.annotations.report.report_content import Cell, Column, Table
from clinicnum.annotations.report.sections.annotator_table_helpers import spoken
from clinicnum.annotations.report.sections.consensus_wording import by
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.types import Contest
from clinicnum.stats.jackknife import how_many

NAMED = 8
"""Most contests that the sentence names; the table has all."""


def conflicts_table(view: StudyView) -> Table | None:
    """One row for each decided contest and contradicting generation of its question; None without any."""
    rows = tuple(_rows(view))
    if not rows:
        return None
    return Table(
        id="contest_conflicts",
        caption="Contests and labels that contradict each other",
        note=f"Unit: a decided contest and a generation on its question; n = {len(rows)}. A rejected "
        "contest contradicts labels that say of the item what it claims; an upheld one, labels by which "
        "the item is valid. Labels are those of the decision that stands"
        f"{', also on judgements with suggestions open' * bool(view.chosen.n_suggestions_open)}, "
        "else of the consensus. Nothing is changed: each figure rests on what its own note names.",
        trace="annotations.csv: item_judgement, generation_id, annotator_id; adjudications.csv: "
        "generation_id, stands, item_judgement, adjudicator_id; consensus.csv: generation_id, item; "
        "scores.csv: instance_id; contests as the study keeps them",
        columns=(
            Column(key="contest_id", label="Contest", kind="code"),
            Column(key="instance_id", label="Instance", kind="code"),
            Column(key="kind", label="Claim"),
            Column(key="status", label="Contest is"),
            Column(key="decided_by", label="Decided by"),
            Column(key="generation_id", label="Generation", kind="code"),
            Column(key="item", label="Item by its labels"),
            Column(key="by", label="Which are"),
        ),
        rows=rows,
    )


def conflicts_said(view: StudyView, table: Table | None) -> str:
    """Sentences on contests that contradict labels, and on questions that labels call faulty.

    Empty if there are none.
    """
    return f"{_contradict(table)}{_still_in(view)}"


def _contradict(table: Table | None) -> str:
    if table is None:
        return ""
    ids = list(dict.fromkeys(str(table.cell(row, "contest_id")) for row in table.rows))
    questions = len({table.cell(row, "instance_id") for row in table.rows})
    named = ", ".join(ids[:NAMED]) + ", ..." * (len(ids) > NAMED)
    verb = "contradicts" if len(ids) == 1 else "contradict"
    return (
        f" {how_many(len(ids), 'decided contest')} on {how_many(questions, 'instance')} {verb} the label of "
        f"at least one answer to the question, though maybe not those of others ({named}): see below."
    )


def _still_in(view: StudyView) -> str:
    """A sentence on questions that labels call ambiguous or wrong: how many, and how many are invalidated.

    Empty if there are none.
    """
    items = _items(view)
    keys = [key for key, (label, _) in items.items() if label not in ("valid", None)]
    doubted = {view.question(key) for key in keys}
    if not doubted:
        return ""
    sound = {view.question(key) for key, (label, _) in items.items() if label == "valid"} & doubted
    both = f" ({len(sound)} of them valid by those of another answer)" if sound else ""
    open_ = {view.question(key) for key, (label, _) in items.items() if label is None} - doubted
    unsettled = f"; {len(open_)} more {'is' if len(open_) == 1 else 'are'} not settled" if open_ else ""
    settled = {view.question(key) for key, (label, _) in items.items() if label == "valid"} & open_
    unsettled += f" ({len(settled)} of them valid by those of another answer)" if settled else ""
    out = len(doubted & view.invalidated)
    counted = {view.question(key) for key in keys if key in view.chosen.by_generation}
    apart = len(doubted - counted)
    by_decision = f", {apart} of them by a decision on judgements with suggestions open" if apart else ""
    return (
        f" Labels alone take no instance out of accuracy: by the decision that stands, else the "
        "consensus, on at least one answer, "
        f"{how_many(len(doubted), 'instance')} {'is' if len(doubted) == 1 else 'are'} ambiguous or wrong in "
        f"the gold{both}{by_decision}{unsettled}; upheld contests took {out} of the {len(doubted)} "
        f"out{_more_out(view, doubted)}."
    )


def _more_out(view: StudyView, doubted: Set[str]) -> str:
    """A clause in brackets: how many instances were taken out although no label doubts them; empty if none
    was.
    """
    n = len(view.invalidated - doubted)
    return f" (and {n} that {'is' if n == 1 else 'are'} not among them)" if n else ""


def _items(view: StudyView) -> Mapping[str, tuple[str | None, str]]:
    """Generation -> the outcome for its item and its basis: the current decision, otherwise the consensus."""
    found: dict[str, tuple[str | None, str]] = {
        one.generation_id: (one.item.label, f"consensus {by(view.protocol)}") for one in view.settlements
    }
    for one in view.tables.adjudications:
        if one.stands:
            found[one.generation_id] = (one.judgement.item_judgement, f"decision of {one.adjudicator_id}")
    return found


def _rows(view: StudyView) -> Iterator[tuple[Cell, ...]]:
    items: dict[str, list[tuple[str, str | None, str]]] = {}
    for key, (label, whose) in sorted(_items(view).items()):
        items.setdefault(view.question(key), []).append((key, label, whose))
    for one in view.contests:
        instance = view.question(one.generation_id)
        for key, label, whose in items.get(instance, ()):
            if label is not None and _contradicts(one, label):
                kind, item = one.kind.replace("_", " "), spoken(label)
                yield one.contest_id, instance, kind, one.status, one.decided_by, key, item, whose


def _contradicts(one: Contest, label: str) -> bool:
    return (one.status, label) in (("rejected", one.kind), ("upheld", "valid"))
