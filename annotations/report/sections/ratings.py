"""The report of a ratings study: means and points by axis and model, differences, agreement, repeats."""

from collections import Counter

from clinicnum.annotations.agreement.types import AgreementResult
from clinicnum.annotations.custom_field_answers import column_name
from clinicnum.annotations.custom_fields import CustomField
from clinicnum.annotations.ratings.rating_axes import ends_of
from clinicnum.annotations.ratings.rating_statistics import rating_repeats
from clinicnum.annotations.report.decided_answers import where_they_differ
from clinicnum.annotations.report.rated_answers import Ratings, scale_of
from clinicnum.annotations.report.report_content import Cell, Column, Dot, Plot, Section, Table
from clinicnum.annotations.report.sections.share_cells import ends, figure_cells, figure_columns, remarks
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.interval_estimate import Figure
from clinicnum.stats.jackknife import how_many

TRACE = (
    "ratings.csv: last, round, answer_read, axis, number, generation_id, annotator_id, model; scores.csv: "
    "instance_id, subject_id, inclusion_probability"
)
COEFFICIENTS = {
    "percent_agreement": "Same point",
    "krippendorff_alpha_ordinal": "Ordinal alpha",
    "gwet_ac2_quadratic": "AC2",
    "cohen_kappa_quadratic": "Weighted kappa",
}
_AXIS, _MODEL = Column(key="axis", label="Axis"), Column(key="model", label="Model")
_REMARK = Column(key="remark", label="Remark", kind="note")


def ratings_section(view: StudyView) -> Section:
    """All that a ratings study finds, from each annotator's last ratings of each answer."""
    found = Ratings(view)
    tables = (_means(found), _points(found), _differences(found), _agreement(found), _repeats(found))
    return Section(
        id="ratings",
        title="How are the answers rated?",
        main=True,
        paragraphs=(_method(found), _axes(view)),
        tables=tuple(table for table in tables if table.rows),
        plots=_plot(found),
    )


def _method(found: Ratings) -> str:
    view = found.view
    design = view.tables.design
    reference = (
        "the gold answer stood beside the answer that was rated"
        if design is not None and design.reference
        else "people saw no gold answer"
    )
    weighing = (
        "Means and shares are weighted by the inverse of each answer's probability of being drawn"
        if view.sampling_weights is not None
        else "Answers are not weighted, as it is not stored how each was drawn"
    )
    return (
        f"n = {how_many(len(view.chosen.annotations), 'judgement')} of "
        f"{how_many(len(view.chosen.by_generation), 'answer')}. Each annotator gave each answer a point on "
        f"every axis; {reference}, {_score(view)}, and names of models were masked. An answer's "
        f"rating is the mean over its annotators{where_they_differ(view, 'they differ')}. No sum over axes "
        f"is made. {weighing}; differences between models are over the items that were rated for "
        "both, unweighted. Intervals leave out one subject at a time with all ratings of its answers, so "
        "they speak of other subjects' questions like these, as these annotators would rate them: another "
        "group may rate otherwise. A mean takes the points as equally far apart; the shares below do not."
    )


def _score(view: StudyView) -> str:
    if view.chosen.scripted:
        return "these scripts rated by score and gold, which are not hidden from them"
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
        note="Unit: an answer, with the mean of its annotators; intervals are over subjects. Low: the share "
        "of ratings at or below the middle of the scale.",
        trace=TRACE,
        columns=(
            *(_AXIS, _MODEL),
            Column(key="answers", label="Answers", kind="count"),
            *_number_columns("mean", "Mean"),
            *figure_columns("low", "Low"),
            _REMARK,
        ),
        rows=tuple(
            (
                *(axis.name, model, one.mean.n, *_number_cells(one.mean), *figure_cells(one.low)),
                remarks(one.mean, one.low),
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
        trace=TRACE,
        columns=(
            *(_AXIS, _MODEL),
            Column(key="point", label="Point"),
            Column(key="means", label="Means"),
            Column(key="n", label="Ratings", kind="count"),
            Column(key="of", label="Of", kind="count"),
            Column(key="share", label="Share", kind="share"),
        ),
        rows=tuple(rows),
        detail=True,
    )


def _differences(found: Ratings) -> Table:
    return Table(
        id="ratings_differences",
        caption="Differences between models on the same items",
        note="Unit: an item with a rated answer of both models. The difference is the mean rating of the "
        "first model's answer minus that of the other's; intervals are over subjects and not corrected for "
        "their number.",
        trace=TRACE,
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


def _agreement(found: Ratings) -> Table:
    return Table(
        id="ratings_agreement",
        caption="Agreement by axis",
        note="Unit: an answer, with each annotator's last rating. Same point is the share of pairs of "
        "ratings that are equal; ordinal alpha (Krippendorff), AC2 (Gwet) and Cohen's kappa with quadratic "
        "weights count near points as near. Alpha and kappa are low where nearly all answers get the same "
        "point, however often annotators agree; AC2 is not.",
        trace="ratings.csv: last, round, answer_read, axis, point, generation_id, annotator_id; scores.csv: "
        "subject_id",
        columns=(
            _AXIS,
            Column(key="n", label="Rated by two or more", kind="count"),
            *(column for name, label in COEFFICIENTS.items() for column in _coefficient_columns(name, label)),
            _REMARK,
        ),
        rows=tuple(_agreement_row(found.view, axis) for axis in found.view.tables.fields),
    )


def _coefficient_columns(name: str, label: str) -> tuple[Column, Column]:
    share = name == "percent_agreement"
    return (
        Column(key=name, label=label, kind="share" if share else "number"),
        Column(
            key=f"{name}_ci95",
            label="95 % interval",
            kind="share_interval" if share else "interval",
            under=True,
        ),
    )


def _agreement_row(view: StudyView, axis: CustomField) -> tuple[Cell, ...]:
    layer = view.agreement.layer(column_name(axis))
    if layer.result is None:
        return (axis.name, None, *(None,) * (2 * len(COEFFICIENTS)), layer.undefined)
    values = [layer.result.coefficient(name) for name in COEFFICIENTS]
    cells = (cell for one in values for cell in (one.value, one.ci95))
    reasons = dict.fromkeys(
        f"{label}: {one.undefined}"
        for one, label in zip(values, COEFFICIENTS.values(), strict=True)
        if one.undefined
    )
    said = [*reasons, *([_of_pairs(layer.result)] if values[-1].undefined else [])]
    return (axis.name, values[0].n_items, *cells, "; ".join(filter(None, said)) or None)


def _of_pairs(result: AgreementResult) -> str:
    """The weighted kappas of pairs of annotators, in words; empty if none is defined."""
    kappas = [
        one.value
        for pair in result.pairwise
        for one in pair.coefficients
        if one.name == "cohen_kappa_quadratic" and one.value is not None
    ]
    return f"of pairs of annotators {min(kappas):.2f} to {max(kappas):.2f}" if kappas else ""


def _repeats(found: Ratings) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for axis in found.view.tables.fields:
        same, apart = rating_repeats(found.repeated(axis), scale_of(axis))
        if same.n:
            rows.append((axis.name, *figure_cells(same), *_number_cells(apart), remarks(same, apart)))
    return Table(
        id="ratings_repeats",
        caption="Answers that the same annotator rated twice, unawares",
        note="Unit: an answer and an annotator who got it again as a blind repeat. Points apart is the mean "
        "distance of both ratings; intervals are over subjects.",
        trace=TRACE,
        columns=(
            _AXIS,
            *figure_columns("same", "Same point"),
            *_number_columns("apart", "Points apart"),
            _REMARK,
        ),
        rows=tuple(rows),
    )


def _plot(found: Ratings) -> tuple[Plot, ...]:
    dots = tuple(
        Dot(row=model, series=axis.name, value=one.mean.value, interval=ends(one.mean.interval))
        for axis, model, one in found.figures
        if one.mean.value is not None
    )
    if not dots:
        return ()
    axes = len({one.series for one in dots})
    scales = {scale_of(axis) for axis in found.view.tables.fields}
    return (
        Plot(
            id="ratings_means",
            kind="panels",
            caption="Mean ratings by axis, with 95 % intervals",
            alt=f"Mean rating of each model with its interval, a panel for each of {axes} axes.",
            table="ratings_means",
            unit="number",
            dots=dots,
            limits=scales.pop() if len(scales) == 1 else None,
        ),
    )
