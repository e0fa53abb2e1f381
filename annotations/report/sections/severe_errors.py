"""Severe errors: how often, how often confidently, on how few items; by persona; and classes by dimension.

A severe error is a failure of severity 3 or 4. The rates are for all answers of a model, judged or not
(`annotations.report.harm_rate`); the concentration is for the judged items.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from clinicnum.annotations.consensus import Settlement
from clinicnum.annotations.report.failure_class_shares import UNSEEN, failures_of
from clinicnum.annotations.report.harm_rate import METHOD, judged_rate, settled_of, severity_known
from clinicnum.annotations.report.model_run import ModelRun, in_a_sentence, run_or_model
from clinicnum.annotations.report.paper_tables import report_table
from clinicnum.annotations.report.question_summary import made_elsewhere
from clinicnum.annotations.report.report_content import Table
from clinicnum.annotations.report.sampled_population import spoken_of
from clinicnum.annotations.report.sections.accuracy_by_dimension import MOST_SHOWN, groupings
from clinicnum.annotations.report.sections.consensus_wording import (
    BESIDE,
    NO_CLASS,
    by,
    doubted_failures,
    severity_rule,
    taken_out_trace,
)
from clinicnum.annotations.report.sections.share_cells import OPERATION_ORDER
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.robustness import Answer
from clinicnum.stats.clustered_intervals import WILSON, Subjects
from clinicnum.stats.interval_estimate import Figure, share_of, undefined_figure
from clinicnum.stats.jackknife import how_many
from clinicnum.stats.partial_verification import METHOD as SHARE_METHOD
from clinicnum.stats.rounded_figures import percent
from clinicnum.tables import Measure, PaperTable, Row
from clinicnum.tables.error_concentration import PART, Concentration, concentration
from clinicnum.tables.paper_table import MODEL, table
from clinicnum.tables.personas import groups_of, persona_of, within
from clinicnum.tables.reasoning_effort import UNREAD

SEVERE = ("3", "4")
SURE = 0.8
"""The least confidence that counts as confident: a convention of this report."""
_SCORES = f"{BESIDE}; scores.csv: run_id, instance_id, subject_id"
_RATE_COLUMNS = ", status, lenient, variant, inclusion_probability"
_CONFIDENCE = "; the runs' generations: answer_confidence"
_TRACES = {
    "severe_errors": f"{_SCORES}{_RATE_COLUMNS}{_CONFIDENCE}",
    "severe_concentration": _SCORES,
    "severe_by_persona": f"{_SCORES}{_RATE_COLUMNS}{_CONFIDENCE}",
    "classes_by_item_kind": f"{_SCORES}{_RATE_COLUMNS}; the benchmark's instances: dimensions",
}
"""Name of the table -> what its figures are counted from."""
_RATES_CAPTION = "Severe errors, and those made confidently"
DEFAULT = ("", "", "default prompt")


def severe_tables(view: StudyView) -> tuple[Table, ...]:
    """The tables on severe errors that can be made; none without a failure."""
    if not any(one.response.label == "failure" for one in view.settlements):
        return ()
    made = (_rates(view), _concentrated(view), _by_persona(view), _classes(view))
    return tuple(
        report_table(one, trace=_TRACES[one.name] + taken_out_trace(view), detail=True)
        for one in made
        if one.undefined is None
    )


def severe_rate(view: StudyView, run: ModelRun) -> Figure:
    """Severe-error rate in a run's answers."""
    found = _rate(view, run, severity_known, _severe)
    mine = settled_of(run, view.settlements)
    without = sum(not severity_known(one) for one in mine)
    ends = [_rate(view, run, lambda _: True, counts).value for counts in (_severe, _perhaps_severe)]
    if not without or found.value is None or None in ends:
        return found
    least, most = (f"{percent(one or 0.0)} %" for one in ends)
    said = (
        f"{how_many(without, 'failure')} without a settled severity left out: were none severe, {least}; "
        f"all, {most}"
    )
    warning = "; ".join(filter(None, (found.interval.warning, said)))
    return replace(found, interval=replace(found.interval, warning=warning))


def confident_rate(view: StudyView, run: ModelRun) -> Figure:
    """Rate, in a run's answers, of severe errors with a confidence of at least `SURE`."""
    sure = {one.generation.generation_id: one.generation.answer_confidence for one in run.answers}
    if all(one is None for one in sure.values()):
        return undefined_figure("no confidence in the answer is stored of any")

    def known(one: Settlement) -> bool:
        return severity_known(one) and sure.get(one.generation_id) is not None

    found = _rate(view, run, known, lambda one: _severe(one) and (sure[one.generation_id] or 0.0) >= SURE)
    highest = max(one for one in sure.values() if one is not None)
    if highest >= SURE or found.value is None:
        return found
    said = f"no answer has a confidence of {SURE} or more, the highest is {highest:.2f}"
    warning = "; ".join(filter(None, (found.interval.warning, said)))
    return replace(found, interval=replace(found.interval, warning=warning))


def _rate(
    view: StudyView,
    run: ModelRun,
    known: Callable[[Settlement], bool],
    counts: Callable[[Settlement], bool],
) -> Figure:
    judged = [one for one in settled_of(run, view.settlements) if known(one)]
    values = [float(counts(one)) for one in judged]
    answers, _ = spoken_of(view, run)
    if len(judged) < len(answers):
        return judged_rate(view, run, judged, values)
    return rate_of_all(Subjects.of(view.instance(one.generation_id).subject_id for one in judged), values)


def rate_of_all(subjects: Subjects, values: Sequence[float]) -> Figure:
    """The rate if every answer is judged: a plain share with its interval."""
    return share_of(subjects, np.array(values, dtype=float), without="no answer is settled")


def _severe(one: Settlement) -> bool:
    return one.response.label == "failure" and one.severity in SEVERE


def _perhaps_severe(one: Settlement) -> bool:
    return _severe(one) or not severity_known(one)


def _settled_said(view: StudyView) -> str:
    """How many severe errors are settled, and how many of them on items that the study itself doubts."""
    n = sum(_severe(one) for one in view.settlements)
    are = "is" if n == 1 else "are"
    return f" {how_many(n, 'failure')} {are} settled as of severity 3 or 4{doubted_failures(view, _severe)}."


def _rates(view: StudyView) -> PaperTable:
    return table(
        "severe_errors",
        _RATES_CAPTION,
        f"Unit: answers; n = those settled as right or as a failure {by(view.protocol)}, failures without a "
        "settled severity left out, of confident ones also answers without a stored confidence; no rate, and "
        "n = 0, where answers of the model are scored wrong and none of these is settled, of confident ones "
        "also where none has a stored confidence: the row's note says which. Severe: of "
        f"severity 3 or 4, by {severity_rule(view)}; one that is not applicable counts as not severe. "
        "Confident: with a confidence in the answer (the probability of its tokens, no chance of being "
        f"right) of at least {SURE}, a convention of this report. Both "
        "as shares of all answers of the model, right or wrong, judged or not: the shares scored wrong and "
        f"right are counted, what is judged of each is weighted{_without_confidence(view)}."
        f"{_settled_said(view)} Interval: {METHOD}; it covers too much rather than too little; where n is "
        f"all answers of the model: {WILSON}.",
        (MODEL,),
        (Measure("severe", "Severe"), Measure("confident", "Confident and severe")),
        [Row((run.name,), (severe_rate(view, run), confident_rate(view, run))) for run in view.ranked],
        "no answer is judged",
    )


def _without_confidence(view: StudyView) -> str:
    """What confident errors take for granted of answers without a confidence; empty if no model has some with
    and some without.
    """
    told = []
    for run in view.ranked:
        given = [one for one in run.answers if not one.failed]
        without = [one for one in given if one.generation.answer_confidence is None]
        if 0 < len(without) < len(given):
            statuses = {one.score.status for one in without}
            unread = f", all of them {' or '.join(sorted(statuses))}" * (statuses <= set(UNREAD))
            told.append(f"{in_a_sentence(run.name)} {len(without)} of {len(given)} without{unread}")
    taken = "; answers without a stored confidence are taken to be like those with one"
    return f"{taken} ({'; '.join(told)})" * bool(told)


def _concentrated(view: StudyView) -> PaperTable:
    found: dict[str, list[int]] = defaultdict(list)
    for one in view.settlements:
        if one.response.label not in (None, "cannot_judge") and severity_known(one):
            found[view.instance(one.generation_id).instance_id].append(_severe(one))
    subjects = {
        view.instance(key).instance_id: view.instance(key).subject_id for key in view.chosen.by_generation
    }
    of = concentration([(subjects[item], sum(counts), len(counts)) for item, counts in found.items()])
    chance = "–" if of.by_chance is None else f"{percent(of.by_chance)} %"
    return table(
        "severe_concentration",
        "How few items hold the severe errors",
        f"Unit: instances with at least one answer whose judgement and severity are settled, of all "
        f"{run_or_model(view.runs)}s together, unweighted; each variant of a question is one. Smallest "
        f"share: of the items that together hold {percent(PART, 0)} % of the "
        "severe errors, those with most first and the last one counted in part; undefined without any. By "
        "chance: what that would be if each settled answer were severe with the same chance; a dash where "
        "each item has one settled answer, so that severe errors cannot gather. Items of which no answer was "
        f"judged are left out.{_cannot_gather(of)}{_settled_said(view)} Intervals: of items with a "
        f"severe error {WILSON}; of the smallest share delete-one-subject jackknife.",
        (("models", f"{run_or_model(view.runs).capitalize()}s"), ("by_chance", "By chance")),
        (Measure("any", "Items with a severe error"), Measure("smallest", "Smallest share")),
        [Row((str(len(view.runs)), chance), (of.any, of.smallest))] if found else [],
        "no answer is judged",
    )


def _cannot_gather(found: Concentration) -> str:
    """A sentence that the smallest share tells nothing where no item can have two severe errors; empty
    otherwise.
    """
    return (
        f" Here the smallest share is {PART:g} times that of items with a severe error, and says no more."
        * (found.by_chance is None and found.smallest.value is not None)
    )


def _by_persona(view: StudyView) -> PaperTable:
    def rows(run: ModelRun) -> Iterable[Row]:
        of = {id(one): persona_of(one.instance.variant or "") for one in run.answers}
        groups = groups_of({one.instance.variant or "" for one in run.answers})
        base = [one for one in run.answers if one.instance.variant is None]
        for group, answers in (
            *([(DEFAULT, base)] if groups else []),
            *((group, [one for one in run.answers if _in(group, of[id(one)])]) for group in groups),
        ):
            part = ModelRun(run.name, tuple(answers), run.asks_form)
            yield Row((run.name, *group), (severe_rate(view, part), confident_rate(view, part)))

    found = [row for run in view.ranked for row in rows(run)]
    judged = [row for row in found if row.texts[3] != DEFAULT[2] and row.figures[0].value is not None]
    return table(
        "severe_by_persona",
        "Severe errors by persona",
        f"Unit: answers asked under a persona, or by the default prompt; otherwise as in “{_RATES_CAPTION}”. "
        "The study must have drawn answers to these variants.",
        (MODEL, ("roles", "Roles"), ("role", "Role"), ("style", "Style")),
        (Measure("severe", "Severe"), Measure("confident", "Confident and severe")),
        found if judged else [],
        "no answer under a persona is judged",
    )


def _in(group: tuple[str, str, str], persona: tuple[str, str, str] | None) -> bool:
    return persona is not None and within(group, persona)


def _classes(view: StudyView) -> PaperTable:
    names = {one.code: one.name for one in view.tables.taxonomy_codes if "." not in one.code}
    names |= {NO_CLASS: NO_CLASS}

    def rows(run: ModelRun) -> Iterable[Row]:
        for dimension, value, answers in _parts(view, run):
            failures = failures_of(view, ModelRun(run.name, answers, run.asks_form), view.settlements)
            for code, name in names.items():
                if failures.count(code):
                    yield Row((run.name, dimension, value, name), (failures.share(code),))

    return table(
        "classes_by_item_kind",
        "Classes of failure by model and dimension of the items",
        f"Unit: failures {by(view.protocol)} of a model on items with one value of a "
        f"dimension{doubted_failures(view)}; share of "
        "each class of all of them. Classes that none came to, and dimensions of one value or of over "
        f"{MOST_SHOWN}, are left out. Interval: {SHARE_METHOD}; {UNSEEN}.",
        (MODEL, ("dimension", "Dimension"), ("value", "Value"), ("class", "Class")),
        (Measure("share", "Share"),),
        [row for run in view.ranked for row in rows(run)],
        "no failure is settled on items that differ in a dimension",
    )


def _parts(view: StudyView, run: ModelRun) -> Iterable[tuple[str, str, tuple[Answer, ...]]]:
    """Yield dimension, value, and the run's answers to items with that value, for each dimension in which
    items differ.
    """
    of = [one.instance for one in run.answers]
    grouped: dict[str, tuple[Sequence[str], list[str]]] = {}
    if not made_elsewhere(view.tables.instances):
        grouped["operation"] = OPERATION_ORDER, [one.operation for one in of]
        grouped["representation"] = (
            sorted({one.representation for one in of}),
            [one.representation for one in of],
        )
    grouped |= groupings(of)
    for name, (values, given) in grouped.items():
        for value in values if len(set(given)) > 1 else ():
            answers = tuple(one for one, has in zip(run.answers, given, strict=True) if has == value)
            if answers:
                yield name, value, answers
