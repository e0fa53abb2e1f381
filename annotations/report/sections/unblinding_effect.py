"""The effect of seeing gold and score: first and last judgement of a response by the same annotator."""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from clinicnum.annotations.reliability.clustered_estimates import share_of_items
from clinicnum.annotations.report.report_content import Cell, Column, Gap, Section, Table
from clinicnum.annotations.report.sections.annotator_table_helpers import cells, spoken, why
from clinicnum.annotations.report.sections.consensus_wording import last_ones, rewording_said
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.study_kind import RESPONSE_JUDGEMENTS
from clinicnum.annotations.types import Annotation
from clinicnum.stats.clustered_intervals import WILSON, Subjects

_TITLE = "What did seeing the gold change?"
_SCRIPTED_TITLE = "Do first and last judgements of the response differ?"
_PEOPLE = (
    "Annotators judge the response before they see gold and score of this answer, and may change that "
    "judgement afterwards, with both in sight."
)
_SCRIPT = (
    "Scripted annotators make both from the score and the gold: nothing is hidden from them, and the table "
    "tests the software."
)
_KEPT, _TOWARDS, _AWAY, _NEITHER = (
    "kept",
    "changed, towards the score",
    "changed, away from the score",
    "changed, neither",
)
Pair = tuple[Annotation, Annotation]
"""An annotator's first and last judgement of a generation."""


def blind_section(view: StudyView) -> Section:
    """How many judgements of the response changed, and in which direction."""
    scripted = view.chosen.scripted
    title = _SCRIPTED_TITLE if scripted else _TITLE
    pairs = first_and_last(view)
    if not pairs:
        why_not = (
            "every last judgement was made with a suggestion in sight"
            if view.chosen.locked
            else "no first judgement was kept"
        )
        return Section(id="blind", title=_TITLE, gaps=(Gap(what=_TITLE, why=why_not),))
    return Section(
        id="blind",
        title=title,
        paragraphs=(
            "Agreement on the response among annotators and the check of the score rest on first judgements, "
            "with those on last ones beside them; agreement on the item, codes and severity, consensus, each "
            "annotator's agreement with the others and with themselves, drift and the plan for a next study "
            f"on {last_ones(view)}. Only the response is compared here. {_SCRIPT if scripted else _PEOPLE}",
        ),
        tables=(_changes(view, pairs), transitions_table(pairs, scripted=scripted)),
    )


def first_and_last(view: StudyView) -> tuple[Pair, ...]:
    """Pairs for all judgements that count, if the first revision exists and no suggestion was visible at the
    last.
    """
    last = [one for one in view.chosen.annotations if not view.chosen.is_locked(one)]
    firsts = ((view.chosen.first_of(one), one) for one in last)
    return tuple((first, last) for first, last in firsts if first is not None)


def _changes(view: StudyView, pairs: tuple[Pair, ...]) -> Table:
    ways = [_way(view, first, last) for first, last in pairs]
    whose = Subjects.of(view.instance(last.generation_id).subject_id for _, last in pairs)

    def rows() -> Iterator[tuple[Cell, ...]]:
        for name in (_KEPT, _TOWARDS, _AWAY, _NEITHER):
            share = share_of_items(whose, np.array([way == name for way in ways]), without="no judgement")
            yield name, ways.count(name), len(pairs), *cells(share), why(share)

    return Table(
        id="blind_changes",
        caption="Judgements of the response, the first and the last"
        if view.chosen.scripted
        else "Judgements of the response, before and after gold and score were shown",
        note=f"Unit: judgements, n = {len(pairs)}{_swayed(view)}. Towards the score: it now says what the "
        "score says, failure or not, and did not before. Neither: alike in that before and after; "
        "“cannot judge” never says what the score says."
        f"{_following(view)}{rewording_said(view)} "
        f"Interval: {WILSON}.",
        trace="annotations.csv: response_judgement at revision 1 and at the last, reference_known, "
        "generation_id, annotator_id; scores.csv: lenient, subject_id",
        columns=(
            Column(key="what", label="Judgement"),
            Column(key="count", label="Judgements", kind="count"),
            Column(key="n", label="n", kind="count"),
            Column(key="share", label="Share", kind="share"),
            Column(key="ci95", label="95 % interval", kind="share_interval"),
            Column(key="remark", label="Note", kind="note"),
        ),
        rows=tuple(rows()),
        bar=("share", "ci95"),
    )


def _following(view: StudyView) -> str:
    n = len(view.chosen.known)
    return f" Without {n} that followed the reference of the same question (group_id)." if n else ""


def _swayed(view: StudyView) -> str:
    """How many judgements are left out, as suggestions came into sight after the first; empty if none is."""
    n = len(view.chosen.locked)
    return f"; {n} more, whose last one was made with suggestions in sight, left out" if n else ""


def _way(view: StudyView, first: Annotation, last: Annotation) -> str:
    if first.response_judgement == last.response_judgement:
        return _KEPT
    lenient = view.score(last.generation_id).lenient
    before, after = (_says_as(one, lenient) for one in (first, last))
    return _NEITHER if before == after else _TOWARDS if after else _AWAY


def _says_as(one: Annotation, lenient: bool) -> bool:
    """Whether the response judgement `one` agrees with the score `lenient`; `cannot_judge` does not."""
    said = one.response_judgement
    return said != "cannot_judge" and (said == "failure") != lenient


def transitions_table(pairs: tuple[Pair, ...], *, scripted: bool) -> Table:
    """Counts of pairs of first and last judgements, including unchanged ones.

    `scripted`: whether some annotators knew the gold at first; the columns are then not called before and
    after it.
    """
    first_label, last_label = ("First", "Last") if scripted else ("Before the gold", "After it")
    counts = Counter((first.response_judgement, last.response_judgement) for first, last in pairs)
    return Table(
        id="blind_transitions",
        caption="First judgement of the response, and the last",
        note=f"Unit: judgements, n = {len(pairs)}. Pairs that nobody gave are left out.",
        trace="annotations.csv: response_judgement at revision 1 and at the last, reference_known, "
        "generation_id, annotator_id",
        columns=(
            Column(key="first", label=first_label),
            Column(key="last", label=last_label),
            Column(key="n", label="Judgements", kind="count"),
        ),
        rows=tuple(
            (spoken(first), spoken(last), counts[first, last])
            for first in RESPONSE_JUDGEMENTS
            for last in RESPONSE_JUDGEMENTS
            if counts[first, last]
        ),
    )
