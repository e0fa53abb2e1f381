"""Warnings above a report: simulated annotators, an unfinished study, credentialed data."""

from clinicnum.annotations.disputes import disputes_of, due_reasons
from clinicnum.annotations.report.judgements_with_decisions import DECISIONS, last_judgements
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.study_kind import KINDS
from clinicnum.annotations.study_summary import unsettled_words
from clinicnum.stats.jackknife import how_many


def report_warnings(view: StudyView) -> tuple[str, ...]:
    """The warnings; the first is `simulated: ...` if a script annotated or adjudicated."""
    found = (_scripted(view), _going_on(view), view.data_use)
    return tuple(one for one in found if one)


def _scripted(view: StudyView) -> str:
    annotators = {(one.annotator_id, one.annotator_kind) for one in view.tables.annotations}
    scripted = sum(kind == "simulated" for _, kind in annotators)
    adjudicators = {one.adjudicator_id for one in view.tables.adjudications}
    adjudicators |= {one.decided_by for one in view.contests if one.decided_by}
    stand_ins = len(view.scripted_adjudicators)
    parts = [f"{scripted} of {len(annotators)} annotators"] * bool(scripted)
    parts += [f"{stand_ins} of {len(adjudicators)} adjudicators"] * bool(stand_ins)
    if not parts:
        return ""
    are = "is a scripted stand-in" if scripted + stand_ins == 1 else "are scripted stand-ins"
    what = (
        "Every label, contest, agreement and consensus here" if scripted else "What adjudication settled here"
    )
    tests = "tests the software; none is evidence" if scripted else "tests the software and is no evidence"
    return f"simulated: {' and '.join(parts)} {are}. {what} {tests} about a model."


def _accuracy(contests: int) -> str:
    """Names a figure that open contests can also change; empty without open contests."""
    return ", and accuracy without contested questions" if contests else ""


def _going_on(view: StudyView) -> str:
    """Why labels or decisions may still change; empty if they cannot or if that is unknown."""
    if view.tables.status in ("open", "paused"):
        return (
            f"The study is {view.tables.status}: labels may still be given, changed and decided on, so every "
            "figure that rests on labels may still change."
        )
    if view.tables.status is None:
        return ""
    due, unfilled = _waiting(view)
    if not (KINDS[view.tables.kind].judges_failures or due):
        return _not_by_all(unfilled, pairs=KINDS[view.tables.kind].pairs)
    contests = sum(one.status == "open" for one in view.contests)
    unsettled = unsettled_words(due=due, contests=contests, unfilled=unfilled)
    deciding = (
        f" What adjudicators still decide may change the figures that rest on labels{_accuracy(contests)}."
        if KINDS[view.tables.kind].judges_failures
        else " Of the figures on models and annotators, what adjudicators still decide changes only those "
        f"under “{DECISIONS}”."
    ) * bool(due or contests)
    items = " Such an item is one answer to a question." * bool(unfilled)
    return f"The study is closed, but not settled: {unsettled}.{items}{deciding}" if unsettled else ""


def _not_by_all(unfilled: int, *, pairs: bool) -> str:
    """How many items of a study in which nothing is due lack a judgement; empty if none does."""
    what = how_many(unfilled, "pair" if pairs else "answer") + " of answers" * pairs
    have = "has" if unfilled == 1 else "have"
    return f"The study is closed; {what} {have} not been judged by all annotators asked." if unfilled else ""


def _waiting(view: StudyView) -> tuple[int, int]:
    """Numbers of generations in the adjudicators' queue, and of those that lack a judgement."""
    design, places = view.tables.design, view.tables.overlap
    queue = {
        key: due_reasons(given, disputes_of(given, design), places=places)
        for key, given in last_judgements(view).items()
    }
    due = sum(bool(reasons) and key not in view.decisions for key, reasons in queue.items())
    return due, sum(reasons is None for reasons in queue.values())
