"""Wording of the consensus that a report rests on, shared by the sections on results."""

from collections import defaultdict
from collections.abc import Callable

from clinicnum.annotations.consensus import Protocol, Settlement, level1_primary
from clinicnum.annotations.report.near_duplicate_items import telling_items
from clinicnum.annotations.report.report_content import Column
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.jackknife import how_many
from clinicnum.translatable_text import Translatable

NAMES: dict[Protocol, str] = {
    "unanimous": Translatable("unanimous"),
    "majority": Translatable("majority"),
    "three_expert": Translatable("agreement or adjudication"),
    "dawid_skene": Translatable("Dawid and Skene"),
}
_RULES: dict[Protocol, str] = {
    "unanimous": "all judgements alike, of at least two",
    "majority": "more than half of at least two judgements",
    "dawid_skene": "the most probable label by Dawid and Skene's model",
}
_OPEN: dict[Protocol, str] = {
    "unanimous": "where judgements differ",
    "majority": "where no class has more than half of the judgements",
    "dawid_skene": "where the model comes to no class",
}
"""By protocol, when enough judgements still give no consensus."""
_NUMBERS = {2: "two", 3: "three"}
HALVES = " (of two middle levels the graver)"
"""Note on the median of an even number of severity levels."""
_FAR = "levels are 2 or more apart or only some say “not applicable”"
APART = f"where {_FAR}"
"""When severities need an adjudicator, and have no median."""
DIFFER = f"item, response or primary class differs or, of severity, {_FAR}"
"""When a generation needs an adjudicator."""
TO_SCORE = (
    ", brought to the shares scored right and scored wrong of all drawn, each counted 1 / its inclusion "
    "probability (answers settled as right or as a failure stand for all drawn that are scored like them)"
)
"""Note on weights that compensate for generations without a consensus on the response."""
NO_CLASS = "no agreed class"
BESIDE = (
    "consensus.csv: generation_id, item, response, primary_class, severity, majority_item, "
    "majority_response, majority_primary_class, majority_severity"
)
"""The exported columns with the consensus, for table sources."""


def by(protocol: Protocol | None) -> str:
    """A protocol as part of a sentence: `by agreement or adjudication`."""
    return "" if protocol is None else f"by {NAMES[protocol]}"


def settled_by(protocol: Protocol | None) -> str:
    """A protocol in plain words, for page one."""
    return "as annotators agreed or an adjudicator decided" if protocol == "three_expert" else by(protocol)


def rule_said(view: StudyView) -> str:
    """The rule of the study's protocol, as a sentence."""
    least = _NUMBERS[view.independent]
    decided = f"what at least {least} judgements all say, or the adjudicator's decision where one is needed"
    return f"Consensus: {_RULES.get(view.protocol) or decided}."


def without_consensus(view: StudyView) -> str:
    """When a generation has no consensus by the study's protocol, as part of a sentence."""
    few = f"fewer than {_NUMBERS[view.independent]} judgements count"
    return _OPEN.get(view.protocol) or f"where annotators differ, or {few}, and no decision stands"


def agreement_or_adjudication(view: StudyView) -> tuple[str, ...]:
    """Explains consensus by agreement or adjudication and who judged; empty if no result is based on it."""
    if "three_expert" not in (view.protocol, view.protocol_beside):
        return ()
    n = _NUMBERS[view.independent]
    known = (
        "Annotators here are scripts."
        if view.chosen.scripted
        else "Nothing is known here of the annotators' profession, training or experience."
    )
    due = [one for one in view.settlements if one.due]
    return (
        f"Agreement or adjudication (three_expert): what at least {n} judgements all say, or the "
        f"adjudicator's decision where {DIFFER} ({len(due)} of {len(view.settlements)} generations; a "
        f"decision stands on {sum(one.generation_id in view.decisions for one in due)} of these"
        f"{lacking_said(view)}). Severity is by a rule of its own, which stands with its table. "
        f"“three_expert” names a procedure, not who follows it. {known}",
    )


def beside_columns(view: StudyView, *columns: Column) -> tuple[Column, ...]:
    """The columns for the second consensus, each heading followed by its protocol; none if there is no second
    one.
    """
    if view.protocol_beside is None:
        return ()
    other = by(view.protocol_beside)
    return tuple(column.model_copy(update={"label": f"{column.label} {other}"}) for column in columns)


def hidden(view: StudyView) -> str:
    """Clause that what is counted was judged `without a suggestion in sight`; empty if there were no
    judgements with one.
    """
    if not view.chosen.n_suggestions_open:
        return ""
    return " without a suggestion in sight" + " when labels were given" * bool(view.chosen.locked)


def severity_rule(view: StudyView) -> str:
    """How the severity of a failure is settled."""
    rest = "the adjudicator's" if view.protocol == "three_expert" else "none"
    return f"the median level of those who call the response a failure{HALVES}, or {rest} {APART}"


def last_responses(view: StudyView) -> str:
    """Note that figures on the response use last judgements, while agreement uses first ones."""
    shown = "" if view.chosen.scripted else ", made with gold and score in sight"
    swayed = "; where suggestions came into sight after the first judgement, they are that one's"
    return f" Responses are those of last judgements{shown}{swayed * bool(view.chosen.locked)}."


def last_ones(view: StudyView) -> str:
    """Names the last judgements as those that count, within a sentence."""
    return "last ones" + f" ({as_first_saved(view)})" * bool(view.chosen.locked)


def as_first_saved(view: StudyView) -> str:
    """Clause on judgements that count as saved before suggestions were shown; empty if none do."""
    n, of = len(view.chosen.locked), len(view.chosen.annotations)
    said = f"but for {n} of {of}, whose response and labels are as first saved, before suggestions were shown"
    return said * bool(n)


def codes_seen(view: StudyView) -> str:
    """What annotators had seen when they gave codes and severity; without capital or full stop."""
    said = "codes and severity are those of last judgements, with gold and score in sight"
    if view.chosen.locked:
        said += f", {as_first_saved(view)}"
    coded = [one for one in view.chosen.annotations if one.labels]
    firsts = [view.chosen.first_of(one) for one in coded]
    early = [one for one in firsts if one is not None and one.labels]
    if view.chosen.scripted or not early:
        return said
    reworded = {(one.generation_id, one.annotator_id) for one in early} & view.after_rewording
    told = f" ({len(reworded)} of them after the gold of another item that may tell it)" * bool(reworded)
    lasts = {(one.generation_id, one.annotator_id): level1_primary(one) for one in coded}
    other = sum(level1_primary(one) != lasts[one.generation_id, one.annotator_id] for one in early)
    blind = sum(one is not None for one in firsts)
    of_blind = f" of the {blind} whose annotator had not seen the gold of the question beside another answer"
    have = "has" if other == 1 else "have"
    return (
        f"{said}; of the {len(coded)} judgements with codes, {len(early)}{of_blind * (blind < len(coded))} "
        f"had codes before these were in sight{told}, and {other} of these {have} another primary class now"
    )


def rewording_said(view: StudyView) -> str:
    """A sentence on how many first judgements may have known the gold from another item; empty if none."""
    n = len(view.after_rewording)
    return (
        f" {how_many(n, 'first judgement')} that {'counts' if n == 1 else 'count'} as made before the gold "
        f"was shown followed the gold of {telling_items(view.tables.instances)}."
    ) * bool(n)


def in_sight(view: StudyView) -> str:
    """Clause that labels were given with gold and score visible, after a comma; empty if these were hidden
    from some or annotators are scripts.
    """
    hidden_from_some = view.chosen.scripted or view.chosen.locked
    return "" if hidden_from_some else ", with gold and score in sight"


def until_saved(view: StudyView) -> str:
    """Note that the active time of some judgements ends at the first save; empty if it never does."""
    return (
        f", up to the first save where suggestions came into sight after it ({len(view.chosen.locked)})"
        if view.chosen.locked
        else ""
    )


def decided_on(tables: StudyTables) -> str:
    """What decisions are on: labels, and ticks of criteria where the study has these decided."""
    return "labels and ticks" if _decides_ticks(tables) else "labels"


def on_labels(view: StudyView) -> str:
    """What an adjudicator is needed for, after a blank, where decisions are on ticks of criteria as well."""
    return " for labels" * _decides_ticks(view.tables)


def _decides_ticks(tables: StudyTables) -> bool:
    return bool(tables.criteria) and tables.design is not None and tables.design.adjudicated


def taken_out_trace(view: StudyView) -> str:
    """The exported column that lists items taken out by upheld contests; empty if none was."""
    return "; invalidations.csv: instance_id" * bool(view.invalidated)


def is_failure(one: Settlement) -> bool:
    """Whether the response is settled as a failure."""
    return one.response.label == "failure"


def doubted_failures(view: StudyView, among: Callable[[Settlement], bool] = is_failure) -> str:
    """How many of the failures that `among` selects are on items that the study itself doubts; a clause after
    a semicolon, empty if none are.
    """
    doubted = view.invalidated | {
        view.question(one.generation_id) for one in view.settlements if one.item.label not in (None, "valid")
    }
    n = sum(among(one) and view.question(one.generation_id) in doubted for one in view.settlements)
    return (
        f"; {n} of them on items that are ambiguous or wrong in the gold {by(view.protocol)}, as settled on "
        "this answer or another to the same item, or taken out by an upheld contest"
    ) * bool(n)


def lacking_said(view: StudyView) -> str:
    """How many undecided generations still lack a judgement, after a semicolon; empty if none do."""
    open_ = [one for one in view.settlements if one.due and one.generation_id not in view.decisions]
    n = sum(one.judgements < view.tables.overlap for one in open_)
    of = f"the {n} without a decision" if n == len(open_) else f"{n} of the {len(open_)} without a decision"
    return (
        f"; {of} {'has' if n == 1 else 'have'} fewer judgements that count than were asked for, and no "
        "adjudicator decides before all are given"
    ) * bool(n)


def without_response(view: StudyView) -> str:
    """Note on generations that count neither as failures nor as right; else empty."""
    said = response_open(view)
    return f" Not counted: {said}." if said else ""


def response_open(view: StudyView) -> str:
    """How many generations count neither as failures nor as right, and why; without capital or full stop."""
    without = [one for one in view.settlements if one.response.label is None]
    cannot = sum(one.response.label == "cannot_judge" for one in view.settlements)
    of = f"of the {len(view.settlements)}"
    few = sum(one.judgements < view.independent for one in without) * (view.protocol == "three_expert")
    lacking = f"fewer than {_NUMBERS[view.independent]} judgements count"
    why = f", as {lacking}" if few == len(without) else f" (on {few} of them {lacking})" * bool(few)
    said = [f"of {len(without)} {of} the response is not settled{why}"] * bool(without)
    said += [f"{cannot} {of} {'is' if cannot == 1 else 'are'} settled as “cannot judge”"] * bool(cannot)
    return ", and ".join(said)


def of_same_subject(view: StudyView) -> str:
    """That a reference of another question about the same subject does not make a judgement unblind, as a
    sentence; empty where each subject has one question.
    """
    asked: dict[str, set[str]] = defaultdict(set)
    for one in map(view.instance, view.chosen.by_generation):
        if one.variant is None:
            asked[one.subject_id].add(one.instance_id)
    return (
        " References of other questions about the same subject are not taken for known, though one may tell "
        "of the other."
    ) * any(len(of) > 1 for of in asked.values())
