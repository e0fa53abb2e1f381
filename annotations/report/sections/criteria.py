"""The section on criteria: scores by model, agreement by criterion, criteria of no use or changed."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from clinicnum.annotations.agreement.criterion_agreement import SHOWN, CriterionAgreement, criterion_agreement
from clinicnum.annotations.criteria.criterion import Criterion
from clinicnum.annotations.criteria.scores import Answer, ModelScore, score_answer, score_model
from clinicnum.annotations.report.judgements_with_decisions import standing_answers, where_they_differ
from clinicnum.annotations.report.report_content import Cell, Column, Finding, KeyFigure, Section, Table
from clinicnum.annotations.report.sections.criterion_use import (
    MOST_ROWS,
    NAMED,
    TRACE,
    CriteriaTicks,
    changed_texts,
    changes_paragraph,
    criteria_ticks,
    criterion_name,
    criterion_uses,
    flags_paragraph,
    use_table,
    verdicts_by_id,
    versions_table,
)
from clinicnum.annotations.report.sections.judged_answers import weighing
from clinicnum.annotations.report.sections.share_cells import ends, figure_cells, figure_columns, remarks
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.types import Annotation
from clinicnum.stats.jackknife import how_many
from clinicnum.stats.rounded_figures import percent

_MOST_NAMED = 3
"""Most runs that the sentence names; the table has all."""


def criteria_section(view: StudyView) -> Section:
    """Scores by the study's criteria; empty for a study without any."""
    if not view.tables.criteria:
        return Section(id="criteria", title="")
    ticks = criteria_ticks(view)
    together, agreed = criterion_agreement(ticks.first, view.subjects)
    uses = criterion_uses(ticks)
    flagged = {key: use for key, use in uses.items() if use.flags}
    changed = changed_texts(ticks)
    return Section(
        id="criteria",
        title="Do the answers meet the criteria?",
        paragraphs=(_defined(view, ticks), *changes_paragraph(changed), flags_paragraph(uses, flagged)),
        tables=tuple(
            table
            for table in (
                _scores(view, ticks),
                _agreement(view, together, agreed, ticks),
                use_table(view, ticks.criteria, flagged, "criteria_flagged", "Criteria to look at again"),
                versions_table(view, ticks.criteria, changed),
                use_table(view, ticks.criteria, uses, "criteria_use", "How each criterion was ticked"),
            )
            if table.rows
        ),
    )


def _defined(view: StudyView, ticks: CriteriaTicks) -> str:
    n = len(ticks.criteria.newest)
    return (
        f"{n} criteria; n = {len(ticks.last)} judgements with ticks. The weighted score of an answer is the "
        "sum of the weights of the criteria that it meets over the sum of the weights above 0; a model's is "
        "the mean over its answers, clipped to 0 to 1, as HealthBench defines it (Arora et al. 2025). "
        "Macro-recall is the mean share of the criteria with a weight above 0 that an answer meets, the "
        "omission rate the share of all of them that are not met. A criterion that does not apply counts in "
        "neither sum. Of several annotators of an answer the mean is taken"
        f"{where_they_differ(view, 'ticks differ')}. {weighing(view)}. Criteria "
        f"stand beside the answer before the gold is shown{_of_gold(view, ticks)}."
    )


def _of_gold(view: StudyView, ticks: CriteriaTicks) -> str:
    """Clause on how much of the gold the criteria give away: a part, or in how many items all of it; without
    full stop.
    """
    texts: dict[str, set[str]] = defaultdict(set)
    for one in ticks.criteria.newest:
        if one.weight > 0:
            texts[one.item].add(one.text.strip())
    items = {one.instance_id: one for one in (view.instance(given.generation_id) for given, _ in ticks.last)}
    whole = sum(
        bool(one.points) and {point.text.strip() for point in one.points} == texts[key]
        for key, one in items.items()
    )
    if not whole:
        return ", and say part of what a right answer holds"
    return (
        f". In {whole} of {how_many(len(items), 'item')} the criteria with a weight above 0 are the points "
        "that a right answer must hold: they stand there before score and gold"
    )


def scores_by_run(view: StudyView, ticks: CriteriaTicks) -> dict[str, tuple[int, ModelScore]]:
    """Name of each run -> its number of ticked answers, and their scores."""
    weights = view.sampling_weights or {}
    run_of = {one.generation.generation_id: run.name for run in view.runs for one in run.answers}
    by_run: dict[str, dict[str, list[tuple[Annotation, tuple[Criterion, ...]]]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for one, criteria in ticks.last:
        by_run[run_of[one.generation_id]][one.generation_id].append((one, criteria))
    return {
        name: (
            len(answers),
            score_model(
                [
                    Answer(
                        view.instance(key).subject_id,
                        [score_answer(criteria, verdicts_by_id(one)) for one, criteria in judged],
                        weights.get(key, 1.0),
                    )
                    for key, judged in answers.items()
                ]
            ),
        )
        for name, answers in sorted(by_run.items())
    }


def criteria_finding(view: StudyView) -> Iterator[Finding]:
    """The weighted scores of the three best runs, in a sentence; nothing without criteria."""
    if not view.tables.criteria:
        return
    found = {name: one.weighted for name, (_, one) in scores_by_run(view, criteria_ticks(view)).items()}
    best = sorted(
        (-one.value, name, ends(one.interval)) for name, one in found.items() if one.value is not None
    )
    said = [
        f"{name} {percent(-value)} %"
        + (f" (95 % interval {percent(limits[0])} to {percent(limits[1])})" if limits else " (no interval)")
        for value, name, limits in best[:_MOST_NAMED]
    ]
    if said:
        without = ", without decisions" * bool(view.once(standing_answers))
        several = "; these intervals do not compare models" * (len(said) > 1)
        points = any(one.scoring == "points" for one in view.tables.instances)
        accuracy = (
            " Accuracy asks that the scorer finds every answer point: its value or, of points without one, "
            "its words."
        ) * points
        yield Finding(
            topic="Criteria",
            text=f"Weighted score by criteria{without}: {', '.join(said)}{several}.{accuracy}",
            table="criteria_scores",
            holds_labels=True,
        )


def criteria_key_figures(view: StudyView) -> tuple[KeyFigure, ...]:
    """The weighted score of each of few runs, or the range of many; none without criteria."""
    if not view.tables.criteria:
        return ()
    found = {name: one.weighted for name, (_, one) in scores_by_run(view, criteria_ticks(view)).items()}
    shares = sorted((one.value, name) for name, one in found.items() if one.value is not None)
    if not shares:
        return ()
    (low, worst), (high, best) = shares[0], shares[-1]
    mark = "simulated: " if "simulated" in view.annotator_kind else ""
    return (
        KeyFigure(
            label=f"{mark}Weighted score by criteria" + f", {len(shares)} models" * (len(shares) > 1),
            value=f"{percent(low)} %" if low == high else f"{percent(low)} to {percent(high)} %",
            note=f"lowest {worst}, highest {best}; intervals in the table" if low < high else best,
            table="criteria_scores",
        ),
    )


def _scores(view: StudyView, ticks: CriteriaTicks) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for model, (answers, found) in scores_by_run(view, ticks).items():
        figures = (found.weighted, found.macro_recall, found.omission, found.must_have_failure)
        cells = (cell for one in figures for cell in figure_cells(one))
        rows.append((model, answers, *cells, remarks(*figures)))
    return Table(
        id="criteria_scores",
        caption="Scores by criteria",
        note="Unit: an answer, that is a generation; intervals are over subjects. An answer fails where a "
        "must-have criterion is not met, or a must-not one, which has a weight below 0, is.",
        trace=f"{TRACE}, run_id",
        columns=(
            Column(key="model", label="Model"),
            Column(key="answers", label="Answers", kind="count"),
            *figure_columns("weighted", "Weighted score"),
            *figure_columns("macro_recall", "Macro-recall"),
            *figure_columns("omission", "Omission rate"),
            *figure_columns("must_have", "Fails a must-have"),
            Column(key="remark", label="Remark", kind="note"),
        ),
        rows=tuple(rows),
    )


def _agreement(
    view: StudyView,
    together: CriterionAgreement,
    agreed: Mapping[str, CriterionAgreement],
    ticks: CriteriaTicks,
) -> Table:
    rows = [("", "all", *_coefficients(together))]
    when = "" if view.chosen.scripted else ", before the gold was shown"
    left_out = len({(one.generation_id, one.annotator_id) for one, _ in ticks.last} & view.chosen.known)
    if left_out:
        when += (
            f"; the ticks of {how_many(left_out, 'judgement')} are left out, as the gold of the question had "
            "been seen with another answer"
        )
    for one in ticks.criteria.newest:
        if criterion_name(one) in agreed:
            rows.append((one.item, one.id, *_coefficients(agreed[criterion_name(one)])))
    return Table(
        id="criteria_agreement",
        caption="Agreement by criterion",
        note=f"Unit: a criterion of an answer, as first ticked{when}. Met, not met and "
        "does not apply are three categories, which raises Gwet's AC1 where one of them is hardly used. It "
        "stands beside Krippendorff's alpha, as a few disagreements can bring alpha near 0 where nearly all "
        "answers meet a criterion, or nearly none.",
        trace=TRACE,
        columns=(
            *NAMED,
            Column(key="n", label="Ticked by two or more", kind="count"),
            *(
                column
                for name, label in zip(SHOWN, ("Agree", "AC1", "Alpha"), strict=True)
                for column in (
                    Column(key=name, label=label, kind="share" if name == SHOWN[0] else "number"),
                    Column(
                        key=f"{name}_ci95",
                        label="95 % interval",
                        kind="share_interval" if name == SHOWN[0] else "interval",
                        under=True,
                    ),
                )
            ),
            Column(key="remark", label="Remark", kind="note"),
        ),
        rows=tuple(rows),
        total="criterion",
        detail=len(rows) > MOST_ROWS,
        in_files=len(rows) > MOST_ROWS,
    )


def _coefficients(one: CriterionAgreement) -> tuple[Cell, ...]:
    if one.result is None:
        return (None,) * 7 + (one.undefined,)
    values = [one.result.coefficient(name) for name in SHOWN]
    cells = (cell for value in values for cell in (value.value, value.ci95))
    reasons = dict.fromkeys(value.undefined for value in values if value.undefined)
    return values[0].n_items, *cells, "; ".join(reasons) or None
