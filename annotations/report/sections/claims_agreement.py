"""Agreement on sentences in the report of a claims study: of annotators with others and with themselves."""

from clinicnum.annotations.agreement.criterion_agreement import SHOWN
from clinicnum.annotations.agreement.types import CoefficientValue
from clinicnum.annotations.report.checked_claims import NOBODY, QUESTIONS, CheckedClaims
from clinicnum.annotations.report.report_content import Cell, Column, Table
from clinicnum.annotations.report.sections.share_cells import methods_said
from clinicnum.stats.jackknife import how_many

JUDGED = "claims.csv: last, complete, round, answer_read, generation_id, annotator_id, claim, verdict, harm"
"""What is judged, as tables name their source."""
_COEFFICIENTS = ("Agree", "AC1", "Alpha")
"""Headings of the coefficients in `SHOWN`."""


def claims_agreement(found: CheckedClaims) -> Table:
    """How far annotators agree on each question; without rows where nothing is judged."""
    rows, methods = _agreement_rows(found, repeats=False) if found.answers else ((), "")
    return Table(
        id="claims_agreement",
        caption="Agreement on sentences",
        note="Unit: a sentence of an answer, or one of a reference once for each answer that it was held "
        "against, with each annotator's last verdict; the cut is the same for all. Sentences are clustered "
        "in answers and these in subjects, so intervals are over subjects. Agree: the share of pairs of "
        "annotators with the same verdict, as the mean over sentences. Alpha: Krippendorff's, "
        "nominal. Gwet's AC1 stands beside it, as a few disagreements can bring alpha near 0 where nearly "
        "all sentences have one verdict; where many pairs of verdicts differ, an alpha near 0 says that they "
        "agree no more than by chance, whatever AC1 is. Major harm is asked of sentences of answers and of "
        "references together, supported, contradicted and not addressed of those of answers. A sentence "
        "without a harm counts as “not” major. Sentences that one "
        f"annotator alone judged have no part in it.{methods}",
        trace=f"{JUDGED}; scores.csv: subject_id",
        columns=_agreement_columns("Judged by two or more"),
        rows=rows,
    )


def claims_repeats(found: CheckedClaims) -> Table:
    """How far annotators agree with themselves; without rows where no answer came twice."""
    n = len(found.repeats)
    rows, methods = _agreement_rows(found, repeats=True) if n else ((), "")
    return Table(
        id="claims_repeats",
        caption="Annotators against themselves",
        note="Unit: a sentence that its annotator judged again: the verdict of round “repeat” beside that "
        "annotator's own of round “main”; the answer was not marked as a repeat, but its reference, if it "
        f"has one, had been shown. {how_many(n, 'answer')} came twice, judged by {found.repeated_by} of the "
        f"annotators. Intervals are over subjects.{methods}",
        trace=f"{JUDGED}; scores.csv: subject_id",
        columns=_agreement_columns("Judged twice"),
        rows=rows,
    )


def _agreement_rows(found: CheckedClaims, *, repeats: bool) -> tuple[tuple[tuple[Cell, ...], ...], str]:
    """A row for each question, and how the intervals were made, as a sentence."""
    rows: list[tuple[Cell, ...]] = []
    methods: list[tuple[str, str | None]] = []
    for question in QUESTIONS:
        result = found.agreement_on(question, repeats=repeats)
        if result is None:
            rows.append((question.label, None, *(None,) * 6, NOBODY))
            continue
        values = [result.coefficient(name) for name in SHOWN]
        reasons = dict.fromkeys(filter(None, map(_lacks, values)))
        cells = (cell for one in values for cell in (one.value, one.ci95))
        rows.append((question.label, values[0].n_items, *cells, "; ".join(reasons) or None))
        methods += [
            (heading, None if one.ci95 is None else one.ci_method)
            for heading, one in zip(_COEFFICIENTS, values, strict=True)
        ]
    return tuple(rows), methods_said(methods)


def _agreement_columns(judged: str) -> tuple[Column, ...]:
    shares = ("share", "number", "number")
    return (
        Column(key="question", label="Question"),
        Column(key="n", label=judged, kind="count"),
        *(
            column
            for key, label, kind in zip(SHOWN, _COEFFICIENTS, shares, strict=True)
            for column in (
                Column(key=key, label=label, kind="share" if kind == "share" else "number"),
                Column(
                    key=f"{key}_ci95",
                    label="95 % interval",
                    kind="share_interval" if kind == "share" else "interval",
                    under=True,
                ),
            )
        ),
        Column(key="remark", label="Remark", kind="note"),
    )


def _lacks(one: CoefficientValue) -> str | None:
    """Why a coefficient or its interval is missing."""
    none = one.ci_method if one.ci95 is None else None
    return one.undefined or (none and f"no interval: {none.removeprefix('none: ')}")
