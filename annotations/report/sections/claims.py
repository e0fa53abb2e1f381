"""The report of a claims study: verdicts on sentences by model, differences between models, agreement."""

from collections.abc import Iterator

from clinicnum.annotations.agreement.criterion_agreement import SHOWN
from clinicnum.annotations.agreement.types import CoefficientValue
from clinicnum.annotations.claims.verdict_shares import CheckedAnswer, Measure, differences, model_figure
from clinicnum.annotations.report.checked_claims import NOBODY, QUESTIONS, CheckedClaims
from clinicnum.annotations.report.judgements_with_decisions import where_they_differ
from clinicnum.annotations.report.report_content import Cell, Column, Dot, Plot, Section, Table
from clinicnum.annotations.report.sections.judged_answers import (
    cut_off_answers,
    questions_judged,
    weights_column,
)
from clinicnum.annotations.report.sections.share_cells import (
    ends,
    figure_cells,
    figure_columns,
    method_of,
    methods_said,
    remarks,
)
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.jackknife import how_many

_JUDGED = "claims.csv: last, complete, round, answer_read, generation_id, annotator_id, claim, verdict, harm"
_COEFFICIENTS = ("Agree", "AC1", "Alpha")
"""Headings of the coefficients in `SHOWN`."""
SHARES: tuple[tuple[Measure, str], ...] = (
    ("supported", "Supported"),
    ("contradicted", "Contradicted"),
    ("not_addressed", "Not addressed"),
    ("omitted", "Omitted"),
    ("major_harm", "Major harm"),
)
"""Measures that are shares, and what they are called."""


def claims_section(view: StudyView) -> Section:
    """All that a claims study finds, from each annotator's last verdicts on each answer."""
    found = CheckedClaims(view)
    return Section(
        id="claims",
        title="Are the answers supported?",
        main=True,
        paragraphs=(_method(found), *_changed(found)),
        tables=tuple(
            table
            for table in (
                _models(found),
                _lengths(found),
                _differences(found),
                _agreement(found),
                _repeats(found),
            )
            if table.rows
        ),
        plots=_plot(found),
    )


def _method(found: CheckedClaims) -> str:
    weighing = (
        "Answers are weighted by the inverse of their probability of being drawn"
        if found.view.sampling_weights is not None
        else "Answers are not weighted, as it is not stored how each was drawn"
    )
    return (
        f"n = {how_many(found.judgements, 'judgement')} of {how_many(found.answers, 'answer')}."
        f"{questions_judged(found.view)} Each answer was cut into its sentences, and of each annotators said "
        "whether the item's text supports it, contradicts it or does not address it; then of each sentence "
        "of the reference whether the answer states or omits it. Of what is contradicted, not addressed or "
        "omitted they gave the harm if somebody acts on the answer. Model names were masked and "
        f"{_score(found.view)}; the reference of an answer came after the verdicts on it were locked"
        f"{_known(found)}. Each annotator's last verdicts "
        f"count{where_they_differ(found.view, 'annotators differ')}: an answer counts with the mean "
        "of their numbers. A share of sentences is their number over the number of all, both summed over "
        f"answers. {weighing}. Intervals leave out one subject at a time, with all sentences of all its "
        "answers, as these are no independent facts: they speak of other subjects, on the same kinds of "
        f"questions, judged by the annotators of this study.{cut_off_answers(found.view)}"
    )


def _score(view: StudyView) -> str:
    if view.chosen.scripted:
        return "these scripts judged by the score, which is not hidden from them"
    return "no score was shown"


def _changed(found: CheckedClaims) -> Iterator[str]:
    """How many verdicts on answers the reference changed; nothing where none was shown."""
    changed, locked = found.changed_after_reference
    if locked:
        yield (
            f"Of {how_many(locked, 'verdict')} on sentences of answers that were locked before the reference "
            f"had been seen, {changed} {'was' if changed == 1 else 'were'} changed once it was in sight."
        )


def _known(found: CheckedClaims) -> str:
    """In how many judgements the reference was known from another answer, after a comma; empty in none."""
    n = sum(one.reference_known for given in found.judged.values() for one in given)
    of = found.judgements
    return (
        f", but in {n} of {how_many(of, 'judgement')} the annotator had seen it with another answer to the "
        "same question"
    ) * bool(n)


def _models(found: CheckedClaims) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name, answers in found.models.items():
        figures = [model_figure(answers, measure) for measure, _ in SHARES]
        cells = (cell for one in figures for cell in figure_cells(one))
        rows.append((name, len(answers), _sentences(answers), *cells, remarks(*figures)))
    methods = (
        (label, method_of(model_figure(answers, measure)))
        for answers in found.models.values()
        for measure, label in SHARES
    )
    return Table(
        id="claims_models",
        caption="What the item's text says of the answers' sentences",
        note="Unit: of supported, contradicted and not addressed a sentence of an answer, of omitted one of "
        "a reference, of major harm an answer, in which any sentence, contradicted, not addressed or "
        "omitted, does it; n are answers. Sentences: as cut, each counted once however many judged it."
        + methods_said(methods),
        trace=f"{_JUDGED}, part, model; scores.csv: subject_id{weights_column(found.view)}",
        columns=(
            Column(key="model", label="Model"),
            Column(key="answers", label="Answers", kind="count"),
            Column(key="sentences", label="Sentences", kind="count"),
            *(column for key, label in SHARES for column in figure_columns(key, label)),
            Column(key="remark", label="Remark", kind="note"),
        ),
        rows=tuple(rows),
    )


def _sentences(answers: list[CheckedAnswer]) -> int:
    """How many different sentences of these answers are judged."""
    return sum(len({key for one in answer.verdicts for key in one if key[0] == "a"}) for answer in answers)


def _lengths(found: CheckedClaims) -> Table:
    figures = {name: model_figure(answers, "claims") for name, answers in found.models.items()}
    return Table(
        id="claims_per_answer",
        caption="Sentences per answer",
        note="Unit: an answer. A model that says more has more to be wrong in; shares above do not show it."
        + methods_said(("Sentences", method_of(one)) for one in figures.values()),
        trace=f"{_JUDGED}, part, model; scores.csv: subject_id{weights_column(found.view)}",
        columns=(
            Column(key="model", label="Model"),
            Column(key="claims", label="Sentences", kind="number"),
            Column(key="claims_ci95", label="95 % interval", kind="interval", under=True),
            Column(key="n", label="n", kind="count", under=True),
            Column(key="remark", label="Remark", kind="note"),
        ),
        rows=tuple((name, *figure_cells(one), remarks(one)) for name, one in figures.items()),
    )


def _differences(found: CheckedClaims) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for measure, label in SHARES:
        for one in differences(found.models, measure):
            figure = one.figure
            rows.append(
                (
                    label,
                    f"{one.one} - {one.other}",
                    figure.n,
                    figure.value,
                    ends(figure.interval),
                    remarks(figure),
                )
            )
    return Table(
        id="claims_differences",
        caption="Differences between models",
        note="Unit: items on which an answer of both models is judged; the difference of the two shares on "
        "these, in percentage points. Intervals put those of both shares together with their correlation "
        "over subjects (Newcombe 1998, method 10); they are not corrected for their number.",
        trace=f"{_JUDGED}, part, model, instance_id; scores.csv: subject_id{weights_column(found.view)}",
        columns=(
            Column(key="share", label="Share"),
            Column(key="difference_of", label="Difference of"),
            Column(key="items", label="Items", kind="count"),
            Column(key="difference", label="Points", kind="points"),
            Column(key="ci95", label="95 % interval", kind="points_interval"),
            Column(key="remark", label="Remark", kind="note"),
        ),
        rows=tuple(rows),
    )


def _agreement(found: CheckedClaims) -> Table:
    rows, methods = _agreement_rows(found, repeats=False) if found.answers else ((), "")
    return Table(
        id="claims_agreement",
        caption="Agreement on sentences",
        note="Unit: a sentence, with each annotator's last verdict; the cut is the same for all. Sentences "
        "are clustered in answers and these in subjects, so intervals are over subjects. Beside "
        "Krippendorff's alpha stands Gwet's AC1, as alpha is low where nearly all sentences have one "
        "verdict, however often annotators agree. Sentences that one annotator alone judged have no part in "
        f"it.{methods}",
        trace=f"{_JUDGED}; scores.csv: subject_id",
        columns=_agreement_columns("Judged by two or more"),
        rows=rows,
    )


def _repeats(found: CheckedClaims) -> Table:
    n = len(found.repeats)
    rows, methods = _agreement_rows(found, repeats=True) if n else ((), "")
    return Table(
        id="claims_repeats",
        caption="Annotators against themselves",
        note="Unit: a sentence that its annotator judged again: the verdict of round “repeat” beside that "
        "annotator's own of round “main”; the answer was not marked as a repeat, but its reference, if it "
        f"has one, had been shown. {how_many(n, 'answer')} came twice, judged by {found.repeated_by} of the "
        f"annotators. Intervals are over subjects.{methods}",
        trace=f"{_JUDGED}; scores.csv: subject_id",
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


def _plot(found: CheckedClaims) -> tuple[Plot, ...]:
    dots = [
        Dot(row=name, series=label, value=figure.value, interval=ends(figure.interval))
        for name, answers in found.models.items()
        for measure, label in SHARES[:3]
        for figure in (model_figure(answers, measure),)
        if figure.value is not None
    ]
    if not dots:
        return ()
    return (
        Plot(
            id="claims_models",
            kind="panels",
            caption="Sentences supported, contradicted and not addressed, with 95 % intervals",
            alt=f"Shares of sentences by verdict for each of {how_many(len(found.models), 'model')}.",
            table="claims_models",
            dots=tuple(dots),
        ),
    )
