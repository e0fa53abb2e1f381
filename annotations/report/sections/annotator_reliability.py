"""The section on annotators: each compared with the others, with their own repeats, over time; and their
speed.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from operator import itemgetter
from statistics import median

import numpy as np

from clinicnum.annotations.reliability.active_time_overrun import Overrun
from clinicnum.annotations.reliability.control_items import AgainstReference
from clinicnum.annotations.reliability.drift import MIN_POINTS, Drift, drift, in_order, slope
from clinicnum.annotations.reliability.intra_rater_agreement import (
    NO_REPEATS,
    repeat_pairs,
)
from clinicnum.annotations.reliability.leave_one_out import AgainstOthers, against_others, others_labels
from clinicnum.annotations.report.report_content import Cell, Column, Gap, Section, Table
from clinicnum.annotations.report.sections.annotator_repeats import repeats_table
from clinicnum.annotations.report.sections.annotator_table_helpers import (
    Asked,
    asked,
    cells,
    factors,
    spoken,
    why,
)
from clinicnum.annotations.report.sections.consensus_wording import by, last_responses, until_saved
from clinicnum.annotations.report.sections.control_items import control_results, controls_table, followed
from clinicnum.annotations.report.sections.share_cells import ends
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.types import Annotation
from clinicnum.stats.clustered_intervals import WILSON, Floats, mean_interval
from clinicnum.stats.rounded_figures import rounded

Against = tuple[AgainstOthers, ...]


def annotators_section(view: StudyView) -> Section:
    """Reliability of each annotator."""
    questions, subjects = asked(view), view.subjects
    against = {one.name: against_others(view.ballots[one.name], subjects) for one in questions}
    pairs = repeat_pairs(view.tables.annotations)
    drifts, controls = _drifts(view), control_results(view)
    return Section(
        id="annotators",
        title="How reliable is each annotator?",
        paragraphs=(
            "Against the others: an annotator's label beside the label that more than half of at least two "
            "others agree on; the own vote is left out, as it would favour its giver. Over time: the change "
            "from an annotator's first judgement that counts to the last, as the slope of a least-squares "
            "line.",
        ),
        tables=(
            _against(view, questions, against),
            _confusion(view, against["primary"]),
            *([repeats_table(view, pairs, questions[1:])] if pairs else []),
            *([controls_table(controls, followed(view) + last_responses(view))] if controls else []),
            _time(view),
            _drift(view, drifts),
        ),
        gaps=(
            *(() if pairs else (Gap(what="Agreement of annotators with themselves", why=NO_REPEATS),)),
            *_without_reference(view, controls),
        ),
    )


def _without_reference(view: StudyView, controls: Sequence[AgainstReference]) -> tuple[Gap, ...]:
    """A gap if control items were judged and the study's files do not hold what was right."""
    if controls or not any(one.round == "control" for one in view.tables.annotations):
        return ()
    why = "the reference judgements are not among the study's data (a bundle of an earlier version)"
    return (Gap(what="Agreement of annotators with the references of control items", why=why),)


def _drifts(view: StudyView) -> tuple[Drift, ...]:
    agree = view.ballots["response"].each(_agrees)
    return drift(view.once(_in_order), view.subjects, agree)


def _in_order(view: StudyView) -> dict[str, tuple[Annotation, ...]]:
    return in_order(view.chosen.annotations, view.tables.annotations)


def _agrees(given: Mapping[str, str]) -> Mapping[str, bool]:
    """Whether each annotator of an item agrees with the others; annotators for whom this is undefined are
    absent.
    """
    theirs = others_labels(given)
    return {who: theirs[who] == own for who, own in given.items() if theirs[who] is not None}


def _against(view: StudyView, questions: tuple[Asked, ...], against: Mapping[str, Against]) -> Table:
    rows = tuple(
        (question.title, one.annotator, one.agree.n, *cells(one.agree), one.unsettled, why(one.agree))
        for question in questions
        for one in against[question.name]
    )
    return Table(
        id="annotators_against_others",
        caption="Each annotator against the consensus of the others",
        note="Unit: generations on which the others come to a label; n in the row. “Open”: those on which "
        f"they do not. Interval: {WILSON}.{last_responses(view)}",
        trace="annotations.csv: generation_id, annotator_id, item_judgement, response_judgement, primary; "
        "scores.csv: subject_id",
        columns=(
            Column(key="question", label="Of"),
            Column(key="annotator", label="Annotator", kind="code"),
            Column(key="n", label="n", kind="count"),
            Column(key="agree", label="Agree", kind="share"),
            Column(key="ci95", label="95 % interval", kind="share_interval", under=True),
            Column(key="open", label="Open", kind="count"),
            Column(key="remark", label="Note", kind="note"),
        ),
        rows=rows,
        bar=("agree", "ci95"),
        value="agree",
    )


def _confusion(view: StudyView, against: Against) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for one in against:
        whole = Counter[str]()
        for (theirs, _), n in one.confusion.items():
            whole[theirs] += n
        for (theirs, own), n in sorted(one.confusion.items()):
            names = [view.names.get(label, spoken(label)) for label in (theirs, own)]
            rows.append((one.annotator, *names, n, n / whole[theirs]))
    return Table(
        id="annotators_confusion",
        caption="What each annotator says where the others agree",
        detail=True,
        note="Unit: generations; the share is of those on which the others give that class. Pairs that do "
        "not occur are left out.",
        trace="annotations.csv: generation_id, annotator_id, primary",
        columns=(
            Column(key="annotator", label="Annotator", kind="code"),
            Column(key="others", label="The others"),
            Column(key="own", label="The annotator"),
            Column(key="n", label="n", kind="count"),
            Column(key="share", label="Share", kind="share"),
        ),
        rows=tuple(rows),
    )


def _time(view: StudyView) -> Table:
    chosen, rows = view.chosen, list[tuple[Cell, ...]]()
    times = np.array([one.active_ms for one in chosen.annotations], dtype=float) / 1000
    for place, who in sorted(enumerate(chosen.annotator.names), key=itemgetter(1)):
        mine = chosen.annotator.codes == place
        seconds = times[mine].tolist()
        if who in view.overruns:
            cells_of = (None, None, None, sum(each == 0 for each in seconds), _overrun(view.overruns[who]))
            rows.append((who, len(seconds), None, *cells_of))
            continue
        interval = mean_interval(view.judged[chosen.item.codes[mine]], times[mine])
        rows.append(
            (
                who,
                len(seconds),
                sum(seconds) / 3600,
                sum(seconds) / len(seconds),
                ends(interval),
                median(seconds),
                sum(each == 0 for each in seconds),
                f"no interval of the mean: {lacks}" if (lacks := interval.undefined) else interval.warning,
            )
        )
    return Table(
        id="annotators_time",
        caption="Time per judgement",
        note=f"Unit: judgements; n = {len(view.chosen.annotations)}. Active time: "
        + (
            "set by the script. "
            if "simulated" in view.annotator_kind
            else f"the page was in front and in use{until_saved(view)}. "
        )
        + "“Untimed”: without any.",
        trace="annotations.csv: active_ms, created_at, revision, generation_id, annotator_id",
        columns=(
            Column(key="annotator", label="Annotator", kind="code"),
            Column(key="judgements", label="Judgements", kind="count"),
            Column(key="hours", label="Hours", kind="number"),
            Column(key="mean_s", label="Mean, s", kind="number"),
            Column(key="mean_ci95", label="95 % interval", kind="interval", under=True),
            Column(key="median_s", label="Median, s", kind="number"),
            Column(key="untimed", label="Untimed", kind="count"),
            Column(key="remark", label="Note", kind="note"),
        ),
        rows=tuple(rows),
    )


def _overrun(found: Overrun) -> str:
    """Why the active times of an annotator are not summarised."""
    return (
        f"{found.active:,.0f} s of active time on the judgements after the first, but between the "
        f"first save and the last lie {found.span:,.0f} s: these are no times that a person took, and sum, "
        "mean and median are withheld"
    )


def _drift(view: StudyView, drifts: tuple[Drift, ...]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for one in drifts:
        over = one.annotator in view.overruns
        reasons = [why(one.failure), why(one.agree)]
        time = "active time is longer than the time between saves" if over else why(one.log_time)
        if time == one.log_time.interval.undefined and time not in reasons:
            time = f"no interval of the factor: {time}"
        reasons.append(time)
        remark = "; ".join(dict.fromkeys(reason for reason in reasons if reason)) or None
        rows.append(
            (
                one.annotator,
                one.judgements,
                *cells(one.failure),
                *cells(one.agree),
                *((None, None) if over else factors(one.log_time)),
                remark,
            )
        )
    return Table(
        id="annotators_drift",
        caption="Drift: change from an annotator's first judgement that counts to the last",
        note="Unit: judgements of the main round in the order they were first saved"
        f"{_skipped(view)}. Points of the share "
        "called a failure, points of the share that agrees with the others on the response, and the factor "
        f"by which active time changed (1: none{until_saved(view)}). With the others: over those of them on "
        "which the others agree. "
        f"{_of_the_items(view)}Intervals: delete-one-subject jackknife, not corrected for their number."
        f"{last_responses(view)}",
        trace="annotations.csv: created_at, revision, active_ms, response_judgement, generation_id, "
        f"annotator_id; scores.csv: subject_id{'; consensus.csv: response' * (not view.chosen.scripted)}",
        columns=(
            Column(key="annotator", label="Annotator", kind="code"),
            Column(key="judgements", label="Judgements", kind="count"),
            Column(key="failure", label="Failures", kind="points"),
            Column(key="failure_ci95", label="95 % interval", kind="points_interval", under=True),
            Column(key="agree", label="With the others", kind="points"),
            Column(key="agree_ci95", label="95 % interval", kind="points_interval", under=True),
            Column(key="time", label="Time, factor", kind="number"),
            Column(key="time_ci95", label="95 % interval", kind="interval", under=True),
            Column(key="remark", label="Note", kind="note"),
        ),
        rows=tuple(rows),
    )


def _of_the_items(view: StudyView) -> str:
    """Each annotator's change in own failures beside the change in failures by the consensus, over the same
    settled generations in the same order, as a sentence; empty for scripts, and where there is no slope.
    """
    responses = {one.generation_id: one.response.label for one in view.settlements}
    told = []
    for who, mine in () if view.chosen.scripted else view.once(_in_order).items():
        settled = [
            (place, one.response_judgement == "failure", responses[one.generation_id] == "failure")
            for place, one in enumerate(mine)
            if responses[one.generation_id] is not None
        ]
        x, *failures = np.array(settled, dtype=float).reshape(-1, 3).T
        x = x / max(len(mine) - 1, 1)
        own, agreed = (slope(np.array([len(x), x.sum(), y.sum(), x @ x, x @ y])) for y in failures)
        if len(x) >= MIN_POINTS and not np.isnan(agreed):
            told.append(f"{who} {_points(own)} and {_points(agreed)} ({len(x)} of {len(mine)} judgements)")
    if not told:
        return ""
    return (
        "The change holds what came from the order of the items, too: more failures may stand early or late. "
        "Over only the generations that are settled, at the same places, the annotator's own failures and "
        f"the failures by the consensus ({by(view.protocol)}) change by (points) {'; '.join(told)}. "
    )


def _points(change: Floats) -> str:
    return rounded(100 * float(change), 1, signed=True).replace("-", "−")


def _skipped(view: StudyView) -> str:
    """The clause that judgements with suggestions open are left out of the order in which drift is measured;
    empty if there are none.
    """
    return (
        "; those with suggestions open are left out, and the others follow each other"
        if view.chosen.n_suggestions_open
        else ""
    )
