"""The section on criteria: scores by model, agreement by criterion, criteria of no use or changed."""

from collections import defaultdict
from collections.abc import Iterator

from clinicnum.annotations.criteria.criterion import Criterion
from clinicnum.annotations.criteria.scores import Answer, ModelScore, score_answer, score_model
from clinicnum.annotations.report.judgements_with_decisions import standing_answers, where_they_differ
from clinicnum.annotations.report.model_run import run_or_model
from clinicnum.annotations.report.report_content import Cell, Column, Finding, KeyFigure, Section, Table
from clinicnum.annotations.report.sections.consensus_wording import taken_out_trace
from clinicnum.annotations.report.sections.criteria_agreement import (
    agreement_table,
    ticks_key_figure,
    ticks_said,
)
from clinicnum.annotations.report.sections.criterion_use import (
    CriteriaTicks,
    changed_texts,
    changes_paragraph,
    criteria_ticks,
    criterion_uses,
    flags_paragraph,
    use_table,
    verdicts_by_id,
    versions_table,
)
from clinicnum.annotations.report.sections.judged_answers import weighing
from clinicnum.annotations.report.sections.share_cells import (
    ends,
    figure_cells,
    figure_columns,
    method_of,
    methods_said,
    remarks,
)
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.types import Annotation
from clinicnum.stats.jackknife import how_many
from clinicnum.stats.rounded_figures import percent

_MOST_NAMED = 3
"""Most runs that the sentence names; the table has all."""
_KEYS = ("weighted", "macro_recall", "omission", "must_have")
_HEADINGS = ("Weighted score", "Macro-recall", "Omission rate", "Fails a must-have")


def criteria_section(view: StudyView) -> Section:
    """Scores by the study's criteria; empty for a study without any."""
    if not view.tables.criteria:
        return Section(id="criteria", title="")
    ticks = view.once(criteria_ticks)
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
                agreement_table(view, ticks),
                use_table(view, ticks.criteria, flagged, "criteria_flagged", "Criteria to look at again"),
                versions_table(view, ticks.criteria, changed),
                use_table(view, ticks.criteria, uses, "criteria_use", "How each criterion was ticked"),
            )
            if table.rows
        ),
    )


def _defined(view: StudyView, ticks: CriteriaTicks) -> str:
    n = len(ticks.criteria.newest)
    scripted = view.chosen.scripted
    before = (
        "; scripted annotators had gold and score from the start" if scripted else " before the gold is shown"
    )
    return (
        f"{n} criteria; n = {len(ticks.last)} judgements with ticks. The weighted score of an answer is the "
        "sum of the weights of the criteria that it meets over the sum of the weights above 0; a model's is "
        "the mean over its answers, clipped to 0 to 1, as HealthBench defines it (Arora et al. 2025). "
        "Macro-recall is the mean share of the criteria with a weight above 0 that an answer meets, the "
        "omission rate the share of all of them that are not met. A criterion that does not apply counts in "
        "neither sum. Of several annotators of an answer the mean is taken"
        f"{where_they_differ(view, 'ticks differ')}. {weighing(view)}. Criteria "
        f"stand beside the answer{before}{_of_gold(view, ticks)}."
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
    there = "" if view.chosen.scripted else ": they stand there before score and gold"
    return (
        f". In {whole} of {how_many(len(items), 'item')} the criteria with a weight above 0 are the points "
        f"that a right answer must hold{there}"
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
    """The weighted scores of the three best runs, and agreement on ticks; nothing without criteria."""
    if not view.tables.criteria:
        return
    found = {name: one.weighted for name, (_, one) in scores_by_run(view, view.once(criteria_ticks)).items()}
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
        several = f"; these intervals do not compare {run_or_model(view.runs)}s" * (len(said) > 1)
        points = any(one.scoring == "points" for one in view.tables.instances)
        accuracy = (
            " Accuracy asks that the scorer finds every answer point: its value or, of "
            "points without one, its words."
        ) * points
        yield Finding(
            topic="Criteria",
            text=f"Weighted score by criteria{without}: {', '.join(said)}{several}."
            f"{ticks_said(view)}{accuracy}",
            table="criteria_scores",
            holds_labels=True,
        )


def criteria_key_figures(view: StudyView) -> tuple[KeyFigure, ...]:
    """The range of the runs' weighted scores, and agreement on ticks; none without criteria."""
    if not view.tables.criteria:
        return ()
    found = {name: one.weighted for name, (_, one) in scores_by_run(view, view.once(criteria_ticks)).items()}
    shares = sorted((one.value, name) for name, one in found.items() if one.value is not None)
    if not shares:
        return ()
    (low, worst), (high, best) = shares[0], shares[-1]
    mark = "simulated: " if "simulated" in view.annotator_kind else ""
    return (
        KeyFigure(
            label=f"{mark}Weighted score by criteria"
            + f", {len(shares)} {run_or_model(view.runs)}s" * (len(shares) > 1),
            value=f"{percent(low)} %" if low == high else f"{percent(low)} to {percent(high)} %",
            note=f"lowest {worst}, highest {best}; intervals in the table" if low < high else best,
            table="criteria_scores",
        ),
        *ticks_key_figure(view, mark),
    )


def _scores(view: StudyView, ticks: CriteriaTicks) -> Table:
    rows: list[tuple[Cell, ...]] = []
    methods: list[tuple[str, str | None]] = []
    for model, (answers, found) in scores_by_run(view, ticks).items():
        figures = (found.weighted, found.macro_recall, found.omission, found.must_have_failure)
        methods += zip(_HEADINGS, map(method_of, figures), strict=True)
        cells = (cell for one in figures for cell in figure_cells(one))
        rows.append((model, answers, *cells, remarks(*figures)))
    return Table(
        id="criteria_scores",
        caption="Scores by criteria",
        note="Unit: an answer, that is a generation. An answer fails where a "
        "must-have criterion is not met, or one that is so marked and has a weight below 0 is."
        f"{methods_said(methods)}",
        trace=f"criteria.csv; scores.csv: run_id, subject_id, inclusion_probability{taken_out_trace(view)}",
        columns=(
            Column(key="model", label="Model"),
            Column(key="answers", label="Answers", kind="count"),
            *(
                column
                for key, heading in zip(_KEYS, _HEADINGS, strict=True)
                for column in figure_columns(key, heading)
            ),
            Column(key="remark", label="Remark", kind="note"),
        ),
        rows=tuple(rows),
    )
