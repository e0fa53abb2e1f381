"""What the sections on results share: which consensus they rest on, and which class each failure is of."""

from collections.abc import Iterable

from clinicnum.annotations.consensus import Protocol, Settlement
from clinicnum.annotations.report.model import Column
from clinicnum.annotations.report.study_view import StudyView

NAMES: dict[Protocol, str] = {
    "unanimous": "unanimous",
    "majority": "majority",
    "three_expert": "the three-reader rule",
    "dawid_skene": "Dawid and Skene",
}
RULES: dict[Protocol, str] = {
    "unanimous": "All judgements alike, of at least two.",
    "majority": "More than half of at least two judgements.",
    "three_expert": "What all judgements say, or the adjudicator's decision where they differ.",
    "dawid_skene": "The most probable label by Dawid and Skene's model.",
}
OPEN: dict[Protocol, str] = {
    "unanimous": "where judgements differ",
    "majority": "where no class has more than half of the judgements",
    "three_expert": "where annotators differ and no decision stands",
    "dawid_skene": "where the model comes to no class",
}
"""Where a generation has no consensus, though enough judged it."""
HALVES = " (of two middle levels the graver)"
"""Said of a median of severities, which are levels: there is none between two."""
TO_SCORE = ", brought to the shares of all that were drawn from that are scored right and wrong"
"""Said of shares whose weights make up for generations without a settled response, in each score group."""
NO_CLASS = "no agreed class"
BESIDE = "consensus.csv: generation_id, item, response, primary_class, severity, and the same by majority"
"""Where what a generation comes to is written, for the traces of tables."""


def by(protocol: Protocol | None) -> str:
    """`by the three-reader rule`: a protocol as a part of a sentence."""
    return "" if protocol is None else f"by {NAMES[protocol]}"


def three_readers(view: StudyView) -> tuple[str, ...]:
    """What the rule is, and what is known of those who judged; nothing where no result rests on it."""
    if "three_expert" not in (view.protocol, view.protocol_beside):
        return ()
    n = {2: "two", 3: "three"}[view.independent]
    known = (
        "Annotators here are scripts."
        if view.chosen.scripted
        else "Nothing is known here of the annotators' profession, training or experience."
    )
    return (
        f"The three-reader rule (three_expert): what at least {n} judgements all say, or the adjudicator's "
        "decision where they differ (on "
        f"{sum(bool(one.due) and one.generation_id in view.decisions for one in view.settlements)} of "
        f"{len(view.settlements)} generations). It names a procedure, not who follows it. {known}",
    )


def beside_columns(view: StudyView, *columns: Column) -> tuple[Column, ...]:
    """Columns for the other consensus, each named after it; none where there is no other."""
    if view.protocol_beside is None:
        return ()
    other = by(view.protocol_beside)
    return tuple(column.model_copy(update={"label": f"{column.label} {other}"}) for column in columns)


def hidden(view: StudyView) -> str:
    """Said of what was judged, where judgements with suggestions open are reported apart; else empty."""
    return " with suggestions hidden" if view.chosen.apart else ""


def failure_classes(settlements: Iterable[Settlement]) -> dict[str, str]:
    """Generation -> level-1 class, of all that are called a failure; `NO_CLASS` where none is agreed on."""
    return {
        one.generation_id: one.primary.label if one.primary.label not in (None, "none") else NO_CLASS
        for one in settlements
        if one.response.label == "failure"
    }


def last_responses(view: StudyView) -> str:
    """Said of figures on the response that rest on last judgements, while agreement rests on first ones."""
    shown = "" if view.chosen.scripted else ", made with gold and score in sight"
    return f" Responses are those of last judgements{shown}."


def without_response(settlements: Iterable[Settlement]) -> str:
    """How many generations nobody can count as failures or not; empty if all can be."""
    n = sum(one.response.label is None for one in settlements)
    return f" {n} generations have no agreed response and are in no row." if n else ""
