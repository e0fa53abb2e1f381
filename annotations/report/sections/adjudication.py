"""The section on adjudication: decisions on disagreements, and the consensus by agreement or adjudication."""

from collections.abc import Hashable, Sequence

from clinicnum.annotations.adjudication import Adjudication
from clinicnum.annotations.report.near_duplicate_items import asked_alike
from clinicnum.annotations.report.question_summary import shared_lists
from clinicnum.annotations.report.report_content import Cell, Column, Gap, Section, Table
from clinicnum.annotations.report.sections.annotator_table_helpers import spoken
from clinicnum.annotations.report.sections.consensus_wording import APART, HALVES, decided_on
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.jackknife import how_many

_TITLE = "What adjudicators decided"


def adjudication_section(view: StudyView) -> Section:
    """Every valid decision with the labels it settles; a gap if there are no decisions."""
    made = view.tables.adjudications
    if not made:
        gap = Gap(what="Adjudicated labels", why="no adjudicator has decided on an item")
        return Section(id="adjudication", title=_TITLE, gaps=(gap,))
    standing = len(view.decisions)
    due = sum(bool(one.due) and one.generation_id in view.decisions for one in view.settlements)
    return Section(
        id="adjudication",
        title=_TITLE,
        paragraphs=(
            f"{_who(view)} made {how_many(len(made), 'decision')} on {decided_on(view.tables)}; "
            f"{standing} {'stands' if standing == 1 else 'stand'}, {due} of them on generations whose labels "
            f"need one by the judgements that count here.{_gone(len(made) - standing)}{_unlike(view)} "
            + (
                "Scripted adjudicators test the software."
                if view.scripted_adjudicators
                else f"Adjudicators saw what annotators said{_in_the_end(view)}, without names or counts, in "
                "random order."
            ),
        ),
        tables=(_decisions(view),),
    )


def _in_the_end(view: StudyView) -> str:
    """Clause that adjudicators saw last judgements, also those with suggestions in sight, which do not count;
    empty if all count.
    """
    return " in the end, also with suggestions in sight" * bool(view.chosen.locked)


def _gone(n: int) -> str:
    """How many decisions no longer stand; empty if all do."""
    why = "superseded by a later decision, or on judgements that were revised since"
    return f" {n} {'is' if n == 1 else 'are'} {why}." if n else ""


def _unlike(view: StudyView) -> str:
    """How many questions one adjudicator decided more than once, and on how many of these the decisions on
    the item differ; empty if none was.
    """
    said: dict[Hashable, list[str | None]] = {}
    lists = shared_lists(view.tables.instances)
    for one in view.tables.adjudications:
        if one.stands:
            asked = asked_alike(view.instance(one.generation_id), lists)
            said.setdefault((one.adjudicator_id, asked), []).append(one.judgement.item_judgement)
    twice = [given for given in said.values() if len(given) > 1]
    n = sum(len(set(given)) > 1 for given in twice)
    were = "was" if len(twice) == 1 else "were"
    return (
        f" {how_many(len(twice), 'question')} {were} decided by one adjudicator more than once, with "
        "another answer to it or to what may be the same (another order of its options, a copy): on "
        f"{n or 'none'} of them these "
        "decisions differ on the item."
    ) * bool(twice)


def _who(view: StudyView) -> str:
    """How many adjudicators decided on labels, and how many of those are simulated."""
    people = {one.adjudicator_id for one in view.tables.adjudications}
    scripted = len(people & view.scripted_adjudicators)
    if scripted == len(people):
        return how_many(scripted, "scripted adjudicator")
    return how_many(len(people), "adjudicator") + (f", {scripted} of them scripted," if scripted else "")


def _decisions(view: StudyView) -> Table:
    standing = [one for one in view.tables.adjudications if one.stands]
    return Table(
        id="adjudicated",
        caption="Decisions that stand, and the consensus by agreement or adjudication",
        note=f"Unit: generations; n = {len(standing)}. Item, response and primary class are the decision's, "
        "also where judgements agree on one. Severity: the median level of those who call the response a "
        f"failure{HALVES}, or the decision's {APART}; the decision's own stands beside it. Entered anew: "
        "not taken over from an annotator, whether or not one said the same. By: the adjudicator. Made on: "
        "how many judgements they saw. A dash under a severity: no failure, or none settled or decided."
        f"{_needless(view, standing)}{_uncounted(view, standing)}",
        trace="adjudications.csv: generation_id, stands, item_judgement, response_judgement, primary, "
        "severity, taken_over, adjudicator_id, cites, comment; annotations.csv: item_judgement, "
        "response_judgement, primary, severity",
        detail=True,
        columns=(
            Column(key="generation_id", label="Generation", kind="code"),
            Column(key="why", label="Judgements that count differ on"),
            Column(key="item", label="Item"),
            Column(key="response", label="Response"),
            Column(key="primary", label="Primary class"),
            Column(key="severity", label="Severity that counts"),
            Column(key="decided_severity", label="Severity in the decision"),
            Column(key="source", label="Decision"),
            Column(key="adjudicator", label="By"),
            Column(key="settles", label="Made on", kind="count"),
            Column(key="comment", label="Comment"),
        ),
        rows=tuple(_row(view, one) for one in standing),
    )


def _needless(view: StudyView, standing: Sequence[Adjudication]) -> str:
    """How many standing decisions are on generations that need none by the judgements that count; empty if
    there are none.
    """
    settled = [view.expert_settlements.get(one.generation_id) for one in standing]
    n = sum(one is not None and not one.due for one in settled)
    said = "on generations whose labels that count here need none: there the rule comes to what those say"
    return f" {n} {'is' if n == 1 else 'are'} {said}." if n else ""


def _uncounted(view: StudyView, standing: Sequence[Adjudication]) -> str:
    """Why rows have dashes: all judgements of these generations were made with suggestions open; empty if
    there are no such rows.
    """
    n = sum(one.generation_id not in view.expert_settlements for one in standing)
    return (
        f" {n} of them, with dashes for what they differed on and what the rule comes to, are on "
        "generations that were judged only where suggestions were open: those judgements are reported apart."
        if n
        else ""
    )


def _row(view: StudyView, one: Adjudication) -> tuple[Cell, ...]:
    settled = view.expert_settlements.get(one.generation_id)
    if settled is None:  # all judgements on it were made with a visible suggestion
        view.generation(one.generation_id)
        outcome: tuple[Cell, ...] = (None, None, None, None, None)
    else:
        labels = (settled.item.label, settled.response.label, settled.primary.label)
        outcome = (
            spoken("; ".join(settled.due)),
            *(None if label is None else spoken(label) for label in labels),
            None if settled.severity is None else spoken(settled.severity),
        )
    source = "a position taken over" if one.taken_over else "entered anew"
    severity = None if one.judgement.severity is None else spoken(one.judgement.severity)
    return (one.generation_id, *outcome, severity, source, one.adjudicator_id, len(one.cites), one.comment)
