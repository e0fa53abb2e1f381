"""The report of a ratings study: means and points by axis and model, differences, agreement, repeats."""

from collections import Counter

from clinicnum.annotations.assignment import REPEAT_GAP
from clinicnum.annotations.ratings.rating_axes import ends_of
from clinicnum.annotations.ratings.rating_statistics import rating_repeats
from clinicnum.annotations.report.judgements_with_decisions import where_they_differ
from clinicnum.annotations.report.model_run import one_model_asked_twice, run_or_model
from clinicnum.annotations.report.rated_answers import LOW, Ratings, scale_of
from clinicnum.annotations.report.report_content import Cell, Column, Dot, Gap, Plot, Section, Table
from clinicnum.annotations.report.sections.judged_answers import (
    cut_off_answers,
    questions_judged,
    weighing,
    weights_column,
)
from clinicnum.annotations.report.sections.ratings_agreement import agreement_table
from clinicnum.annotations.report.sections.share_cells import (
    EFFECTIVE,
    ends,
    figure_cells,
    figure_columns,
    method_of,
    methods_said,
    remarks,
    remarks_by_column,
)
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.interval_estimate import Figure
from clinicnum.stats.jackknife import how_many
from clinicnum.stats.rounded_figures import percent

_RATED = "ratings.csv: last, round, answer_read, axis, number, generation_id, annotator_id"
_AXIS, _MODEL = Column(key="axis", label="Axis"), Column(key="model", label="Model")
_REMARK = Column(key="remark", label="Remark", kind="note")
_NO_REPEATS = Gap(what="Agreement of annotators with themselves", why="no answer came twice to an annotator")


def ratings_section(view: StudyView) -> Section:
    """All that a ratings study finds, from each annotator's last ratings of each answer."""
    found = Ratings(view)
    tables = (_means(found), _points(found), _differences(found), agreement_table(found), _repeats(found))
    return Section(
        id="ratings",
        title="How are the answers rated?",
        main=True,
        paragraphs=(_method(found), _axes(view)),
        tables=tuple(table for table in tables if table.rows),
        plots=_plot(found),
        gaps=() if found.rated_twice or not found.figures else (_NO_REPEATS,),
    )


def _method(found: Ratings) -> str:
    view = found.view
    design = view.tables.design
    reference = (
        "the gold answer stood beside the answer that was rated"
        if design is not None and design.reference
        else "people saw no gold answer"
    )
    weighed, what = weighing(view, f"“Mean” and “{LOW}” alone"), run_or_model(view.runs)
    return (
        f"n = {how_many(len(view.chosen.annotations), 'judgement')} of "
        f"{how_many(len(view.chosen.by_generation), 'answer')}.{questions_judged(view)} Each annotator gave "
        f"each answer a point on every axis; {reference}, {_score(view)}; names of models were masked."
        f"{one_model_asked_twice(view.runs)} "
        "An answer's rating is the mean over its annotators"
        f"{where_they_differ(view, _differing(view))}. No sum over axes is made. {weighed}. Differences "
        f"between {what}s are over the items that were rated for both. Intervals leave out one subject at a "
        "time with all ratings of its answers, so they speak of other subjects' questions like these, as "
        f"these annotators would rate them: another group may rate otherwise. {EFFECTIVE} A mean takes the "
        f"points as equally far apart; the shares below do not.{cut_off_answers(view)}"
    )


def _differing(view: StudyView) -> str:
    """Which ratings differ: where adjudicators decide, those further apart than the limit."""
    design = view.tables.design
    if design is None or not design.adjudicated:
        return "they differ"
    return f"they are more than {how_many(design.rating_limit, 'point')} apart"


def _score(view: StudyView) -> str:
    if view.chosen.scripted:
        return "these scripts rated by the score, which is not hidden from them, and by chance"
    return "no score was in sight"


def _axes(view: StudyView) -> str:
    return " ".join(f"{one.name}: “{one.label}”, {' to '.join(ends_of(one))}." for one in view.tables.fields)


def _number_columns(key: str, label: str) -> tuple[Column, ...]:
    return (
        Column(key=key, label=label, kind="number"),
        Column(key=f"{key}_ci95", label="95 % interval", kind="interval", under=True),
    )


def _number_cells(figure: Figure) -> tuple[Cell, Cell]:
    return figure.value, ends(figure.interval)


def _means(found: Ratings) -> Table:
    return Table(
        id="ratings_means",
        caption="Mean ratings",
        note="Unit: an answer. Mean: over the answers, each with the mean of its annotators. "
        f"{LOW}: the share of an answer's ratings at the middle of the scale or below, as a mean over the "
        "answers. n: answers. Intervals are over subjects."
        + methods_said(
            pair
            for _, _, one in found.figures
            for pair in (("Mean", method_of(one.mean)), (LOW, method_of(one.low)))
        ),
        trace=f"{_RATED}, model; scores.csv: subject_id{weights_column(found.view)}",
        columns=(
            *(_AXIS, _MODEL),
            Column(key="answers", label="Answers", kind="count"),
            *_number_columns("mean", "Mean"),
            *figure_columns("low", LOW),
            _REMARK,
        ),
        rows=tuple(
            (
                *(axis.name, model, one.mean.n, *_number_cells(one.mean), *figure_cells(one.low)),
                remarks_by_column({"Mean": one.mean, LOW: one.low}),
            )
            for axis, model, one in found.figures
        ),
        value="mean",
    )


def _points(found: Ratings) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for axis in found.view.tables.fields:
        for model, points in sorted(found.points(axis).items()):
            counts = Counter(points)
            for one in axis.options:
                n = counts[one.value]
                rows.append((axis.name, model, one.value, one.means or None, n, len(points), n / len(points)))
    return Table(
        id="ratings_points",
        caption="How often each point was given",
        note="Unit: a rating, that is one annotator's point on one axis of one answer; not weighted.",
        trace=f"{_RATED}, model, point, means",
        columns=(
            *(_AXIS, _MODEL),
            Column(key="point", label="Point"),
            Column(key="means", label="Meaning"),
            Column(key="n", label="Ratings", kind="count"),
            Column(key="of", label="Of", kind="count"),
            Column(key="share", label="Share", kind="share"),
        ),
        rows=tuple(rows),
        detail=True,
    )


def _differences(found: Ratings) -> Table:
    what = run_or_model(found.view.runs)
    return Table(
        id="ratings_differences",
        caption=f"Differences between {what}s on the same items",
        note=f"Unit: an item with a rated answer of both {what}s. The difference is the mean rating of the "
        f"first {what}'s answer minus that of the other's; intervals are over subjects and not corrected for "
        "their number." + methods_said(("Difference", method_of(figure)) for *_, figure in found.differences),
        trace=f"{_RATED}, model, instance_id; scores.csv: subject_id",
        columns=(
            *(_AXIS, _MODEL),
            Column(key="other", label="Against"),
            Column(key="items", label="Items", kind="count"),
            *_number_columns("difference", "Difference"),
            _REMARK,
        ),
        rows=tuple(
            (axis.name, one, other, figure.n, *_number_cells(figure), remarks(figure))
            for axis, one, other, figure in found.differences
        ),
        value="difference",
    )


def _repeats(found: Ratings) -> Table:
    rows: list[tuple[Cell, ...]] = []
    methods: list[tuple[str, str | None]] = []
    for axis in found.view.tables.fields:
        same, apart = rating_repeats(found.repeated(axis), scale_of(axis))
        if same.n:
            said = remarks_by_column({"Same point": same, "Points apart": apart})
            rows.append((axis.name, *figure_cells(same), *_number_cells(apart), said))
            methods += [("Same point", method_of(same)), ("Points apart", method_of(apart))]
    return Table(
        id="ratings_repeats",
        caption="Answers that the same annotator rated twice",
        note="Unit: an answer and an annotator who got it again: the rating of round "
        "“repeat” beside that annotator's own of round “main”. Points apart is the mean distance of both; "
        f"intervals are over subjects.{_chance(found.view)}{_by_annotator(found)}{methods_said(methods)}",
        trace=f"{_RATED}; scores.csv: subject_id",
        columns=(
            _AXIS,
            *figure_columns("same", "Same point"),
            *_number_columns("apart", "Points apart"),
            _REMARK,
        ),
        rows=tuple(rows),
    )


def _chance(view: StudyView) -> str:
    """How repeats were chosen, as a sentence; empty where that is not known."""
    share = 0.0 if view.tables.design is None else view.tables.design.repeat_share
    return (
        f" With a chance of {percent(share, 0)} % the next item was one that the annotator had been given "
        f"more than {REPEAT_GAP} items before."
    ) * bool(share)


def _by_annotator(found: Ratings) -> str:
    """How many answers each annotator rated twice, as a sentence; empty without any."""
    counts = Counter(annotator for _, annotator in found.rated_twice)
    told = ", ".join(f"{name} {n}" for name, n in sorted(counts.items()))
    return f" Answers by annotator: {told}." if told else ""


def _plot(found: Ratings) -> tuple[Plot, ...]:
    dots = tuple(
        Dot(row=model, series=axis.name, value=one.mean.value, interval=ends(one.mean.interval))
        for axis, model, one in found.figures
        if one.mean.value is not None
    )
    if not dots:
        return ()
    axes, what = len({one.series for one in dots}), run_or_model(found.view.runs)
    scales = {scale_of(axis) for axis in found.view.tables.fields}
    return (
        Plot(
            id="ratings_means",
            kind="panels",
            caption="Mean ratings by axis, with 95 % intervals",
            alt=f"Mean rating of each {what} with its interval, a panel for each of {axes} axes.",
            table="ratings_means",
            unit="number",
            dots=dots,
            limits=scales.pop() if len(scales) == 1 else None,
        ),
    )
