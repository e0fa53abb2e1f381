"""The table of a ratings study's report on how far annotators agree on each axis."""

from collections.abc import Iterator

from clinicnum.annotations.agreement.types import AgreementResult
from clinicnum.annotations.custom_field_answers import column_name
from clinicnum.annotations.custom_fields import CustomField
from clinicnum.annotations.report.rated_answers import Ratings
from clinicnum.annotations.report.report_content import Cell, Column, Table
from clinicnum.annotations.report.sections.share_cells import methods_said
from clinicnum.annotations.report.study_view import StudyView

COEFFICIENTS = {
    "percent_agreement": "Same point",
    "krippendorff_alpha_ordinal": "Ordinal alpha",
    "gwet_ac2_quadratic": "AC2",
    "cohen_kappa_quadratic": "Weighted kappa",
}


def agreement_table(found: Ratings) -> Table:
    """The coefficients of each axis."""
    return Table(
        id="ratings_agreement",
        caption="Agreement by axis",
        note="Unit: an answer, with each annotator's last rating. Same point is the share of pairs of "
        "ratings that are equal; ordinal alpha (Krippendorff), and AC2 (Gwet) and Cohen's kappa, both with "
        "quadratic weights, count near points as near. Each reckons agreement by chance in a way of its own: "
        "values of different coefficients are not to be compared." + methods_said(_methods(found.view)),
        trace="ratings.csv: last, round, answer_read, axis, point, generation_id, annotator_id; scores.csv: "
        "subject_id",
        columns=(
            Column(key="axis", label="Axis"),
            Column(key="n", label="Rated by two or more", kind="count"),
            *(column for name, label in COEFFICIENTS.items() for column in _coefficient_columns(name, label)),
            Column(key="remark", label="Remark", kind="note"),
        ),
        rows=tuple(_row(found.view, axis) for axis in found.view.tables.fields),
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


def _row(view: StudyView, axis: CustomField) -> tuple[Cell, ...]:
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


def _methods(view: StudyView) -> Iterator[tuple[str, str | None]]:
    """Heading of each coefficient, and how its interval was made."""
    for axis in view.tables.fields:
        result = view.agreement.layer(column_name(axis)).result
        if result is not None:
            for name, heading in COEFFICIENTS.items():
                one = result.coefficient(name)
                yield heading, None if one.ci95 is None else one.ci_method


def _of_pairs(result: AgreementResult) -> str:
    """The weighted kappas of pairs of annotators, in words; empty if none is defined."""
    kappas = [
        one.value
        for pair in result.pairwise
        for one in pair.coefficients
        if one.name == "cohen_kappa_quadratic" and one.value is not None
    ]
    return f"of pairs of annotators {min(kappas):.2f} to {max(kappas):.2f}" if kappas else ""
