"""Agreement on ticks of criteria: the table, and what page one says of it."""

from collections.abc import Iterator, Mapping, Sequence

from clinicnum.annotations.agreement.criterion_agreement import (
    SHOWN,
    CriterionAgreement,
    criterion_agreement,
)
from clinicnum.annotations.agreement.intervals import EXACT
from clinicnum.annotations.agreement.types import CoefficientValue
from clinicnum.annotations.report.report_content import Cell, Column, KeyFigure, Table
from clinicnum.annotations.report.sections.consensus_wording import taken_out_trace
from clinicnum.annotations.report.sections.criterion_use import (
    MOST_ROWS,
    NAMED,
    CriteriaTicks,
    criteria_ticks,
    criterion_name,
)
from clinicnum.annotations.report.sections.share_cells import methods_said
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.jackknife import how_many

_HEADINGS = ("Agree", "AC1", "Alpha")
_ALPHA = "krippendorff_alpha_nominal"


def agreement_on_ticks(view: StudyView) -> tuple[CriterionAgreement, Mapping[str, CriterionAgreement]]:
    """Agreement on all criteria together, and criterion name -> agreement on it."""
    return criterion_agreement(view.once(criteria_ticks).first, view.subjects)


def ticks_key_figure(view: StudyView, mark: str) -> Iterator[KeyFigure]:
    """Krippendorff's alpha of all first ticks, labelled with `mark` before it; nothing without two ticks of a
    criterion of an answer.
    """
    alpha = _alpha(view)
    if alpha is not None:
        limits = f", 95 % {alpha.ci95[0]:.2f} to {alpha.ci95[1]:.2f}" if alpha.ci95 else ""
        yield KeyFigure(
            label=f"{mark}Agreement on ticks",
            value="undefined" if alpha.value is None else f"{alpha.value:.2f}",
            note=alpha.undefined or f"alpha, n = {alpha.n_items} criteria of answers{limits}",
            table="criteria_agreement",
        )


def ticks_said(view: StudyView) -> str:
    """A sentence on the agreement on ticks, after a blank; empty without two ticks of a criterion of an
    answer.
    """
    alpha = _alpha(view)
    if alpha is None:
        return ""
    if alpha.value is None:
        return f" Agreement on ticks is undefined: {alpha.undefined}."
    low, high = alpha.ci95 or (None, None)
    limits = "no interval" if low is None else f"95 % interval {low:.2f} to {high:.2f}"
    return f" Annotators' agreement on ticks is Krippendorff's alpha {alpha.value:.2f} ({limits})."


def _alpha(view: StudyView) -> CoefficientValue | None:
    result = view.once(agreement_on_ticks)[0].result
    return None if result is None else result.coefficient(_ALPHA)


def agreement_table(view: StudyView, ticks: CriteriaTicks) -> Table:
    """Agreement on each criterion, after that on all of them together."""
    together, agreed = view.once(agreement_on_ticks)
    rows = [("", "all", *_coefficients(together))]
    for one in ticks.criteria.newest:
        if criterion_name(one) in agreed:
            rows.append((one.item, one.id, *_coefficients(agreed[criterion_name(one)])))
    return Table(
        id="criteria_agreement",
        caption="Agreement by criterion",
        note=f"Unit: a criterion of an answer, as first ticked{_when(view, ticks)}. Met, not met and "
        "does not apply are three categories, which raises Gwet's AC1 where one of them is hardly used. It "
        "stands beside Krippendorff's alpha, which a few disagreements bring near 0 where nearly all ticks "
        "say the same; where they do not, an alpha near 0 says that annotators agree hardly more than by "
        f"chance.{_methods((together, *agreed.values()))}",
        trace="criteria.csv: generation_id, annotator_id, round, criterion_id, item, first_verdict; "
        "annotations.csv: reference_known; scores.csv: subject_id"
        f"{taken_out_trace(view)}",
        columns=(
            *NAMED,
            Column(key="n", label="Ticked by two or more", kind="count"),
            *(
                column
                for name, label in zip(SHOWN, _HEADINGS, strict=True)
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


def _when(view: StudyView, ticks: CriteriaTicks) -> str:
    """When the ticks were given, and how many are left out, each after a comma or a semicolon."""
    when = (
        "; scripted annotators had gold and score before it"
        if view.chosen.scripted
        else ", before the gold was shown"
    )
    left_out = len({(one.generation_id, one.annotator_id) for one, _ in ticks.last} & view.chosen.known)
    if left_out:
        when += (
            f"; the ticks of {how_many(left_out, 'judgement')} are left out, as the gold of the question had "
            "been seen with another answer"
        )
    return when


def _methods(found: Sequence[CriterionAgreement]) -> str:
    """How the intervals were made, as a sentence; empty without any."""
    results = [one.result for one in found if one.result is not None]
    return methods_said(
        (heading, _method(value))
        for name, heading in zip(SHOWN, _HEADINGS, strict=True)
        for value in (one.coefficient(name) for one in results)
    )


def _coefficients(one: CriterionAgreement) -> tuple[Cell, ...]:
    if one.result is None:
        return (None,) * 7 + (one.undefined,)
    values = [one.result.coefficient(name) for name in SHOWN]
    cells = (cell for value in values for cell in (value.value, value.ci95))
    reasons = dict.fromkeys(said for value in values if (said := _lacks(value)))
    return values[0].n_items, *cells, "; ".join(reasons) or None


def _method(value: CoefficientValue) -> str | None:
    """How an interval was made, without what is about one row; None without an interval."""
    if value.ci95 is None or value.ci_method is None:
        return None
    return f"{EXACT} where all agree" if value.ci_method.startswith(EXACT) else value.ci_method


def _lacks(value: CoefficientValue) -> str | None:
    """Why a value or its interval is missing, or must be read with care."""
    if value.undefined or value.ci_method is None:
        return value.undefined
    warning = value.ci_method.partition("; ")[2]
    return warning or None if value.ci95 else value.ci_method.replace("none:", "no interval:", 1)
