"""The section on how well a model's confidence is calibrated (`clinicnum.calibration`)."""

from clinicnum.annotations.report.model_run import ModelRun
from clinicnum.annotations.report.question_summary import made_elsewhere
from clinicnum.annotations.report.report_content import Cell, Column, Dot, Gap, Plot, Section, Table
from clinicnum.annotations.report.sections.share_cells import ends, figure_cells, figure_columns
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.calibration import CalibrationRow, calibration_table
from clinicnum.stats.accuracy import ALL
from clinicnum.stats.clustered_intervals import WILSON
from clinicnum.stats.rounded_figures import percent

_TITLE = "Can its confidence be believed?"


def calibration_section(view: StudyView) -> Section:
    """Brier score, slope, intercept, calibration error and reliability diagram, by model and operation."""
    sure = [run for run in view.runs if any(_has_confidence(run))]
    gaps = [
        Gap(what=f"{_TITLE} ({run.name})", why="none of its generations carries a confidence in the answer")
        for run in view.runs
        if run not in sure
    ]
    if not sure:
        return Section(id="calibration", title=_TITLE, gaps=tuple(gaps))
    found = [(run.name, row) for run in sure for row in _rows(run)]
    elsewhere = made_elsewhere(view.tables.instances)
    return Section(
        id="calibration",
        title=_TITLE,
        holds_labels=False,
        paragraphs=(
            "Confidence is the probability of the tokens that spell the answer: what stands at a mark such "
            "as “the answer is”, else the value or the option's letter alone. A calibrated model has slope 1 "
            "and intercept 0. A slope below 1 says that confidences are too extreme, an intercept below 0 "
            "that they are too high. The calibration error is given without what chance alone adds, beside "
            "what a calibrated model would show.",
        ),
        plots=_diagram(found),
        tables=(_table(found, elsewhere=elsewhere), _bins(found)),
        gaps=tuple(gaps),
    )


def _has_confidence(run: ModelRun) -> list[bool]:
    return [one.generation.answer_confidence is not None for one in run.headline]


def _rows(run: ModelRun) -> tuple[CalibrationRow, ...]:
    answered = ((one.instance, one.generation, one.score) for one in run.answers)
    return calibration_table(answered, bootstrap=False)


def _table(found: list[tuple[str, CalibrationRow]], *, elsewhere: bool) -> Table:
    return Table(
        id="calibration",
        caption="Calibration by operation",
        note="Unit: generations with a confidence, on unflagged items, variants left out. Slope, and "
        "intercept with the slope held at 1, of a logistic regression on the logit of the confidence; "
        "intervals of these two by the linearised delete-one-subject jackknife, t(effective subjects - 1), "
        f"of accuracy and of the Brier score {WILSON}. "
        "Calibration error: root of the mean square of the mean errors of up to ten bins of equal size; each "
        "square is the mean product of the errors of two answers about different subjects, which leaves out "
        "what chance adds; in brackets after it null: 95 % of calibrated models stay below it; and p: share "
        "of the null at or above the error. Plain: mean absolute, in brackets its mean under the null."
        + " Operation “external”: all of these items, which were made elsewhere."
        * elsewhere,
        trace="the generations: answer_confidence; scores.csv: subject_id, lenient, operation, variant, "
        "flags",
        total="operation",
        columns=(
            Column(key="model", label="Model", once=True),
            Column(key="operation", label="Operation"),
            *figure_columns("accuracy", "Accuracy"),
            Column(key="mean_confidence", label="Confidence", kind="share"),
            Column(key="brier", label="Brier", kind="number"),
            Column(key="brier_ci95", label="95 % interval", kind="interval", under=True),
            Column(key="slope", label="Slope", kind="number"),
            Column(key="slope_ci95", label="95 % interval", kind="interval", under=True),
            Column(key="intercept", label="Intercept", kind="number"),
            Column(key="intercept_ci95", label="95 % interval", kind="interval", under=True),
            Column(key="error", label="Error", kind="number"),
            Column(key="error_null_high", label="null", kind="number", under=True),
            Column(key="error_p", label="p", kind="p", under=True),
            Column(key="plain", label="Plain", kind="number"),
            Column(key="plain_null_mean", label="null", kind="number", under=True),
            Column(key="without", label="No confidence", kind="count"),
            Column(key="remark", label="Note", kind="note"),
        ),
        rows=tuple(_row(name, one) for name, one in found),
    )


def _row(name: str, one: CalibrationRow) -> tuple[Cell, ...]:
    error = one.error
    return (
        name,
        one.operation,
        *figure_cells(one.accuracy),
        one.mean_confidence.value,
        one.brier.value,
        ends(one.brier.interval),
        one.slope.value,
        ends(one.slope.interval),
        one.intercept.value,
        ends(one.intercept.interval),
        error.debiased,
        error.debiased_null_high,
        error.p,
        error.plain,
        error.plain_null_mean,
        one.n_without,
        _remark(one),
    )


def _remark(one: CalibrationRow) -> str | None:
    said = (
        one.brier.undefined or one.brier.interval.undefined,
        one.slope.undefined and f"slope: {one.slope.undefined}",
        one.intercept.undefined and f"intercept: {one.intercept.undefined}",
        one.error.undefined and f"error and plain: {one.error.undefined}",
        one.brier.interval.warning,
    )
    return "; ".join(dict.fromkeys(text for text in said if text)) or None


def _bins(found: list[tuple[str, CalibrationRow]]) -> Table:
    return Table(
        id="calibration_bins",
        caption="The bins of the reliability diagram",
        note="Unit: generations of all operations with a confidence, on unflagged items, variants left out, "
        "in bins of about equal size.",
        trace="the generations: answer_confidence; scores.csv: subject_id, lenient, variant, flags",
        detail=True,
        columns=(
            Column(key="model", label="Model", once=True),
            Column(key="low", label="From", kind="share"),
            Column(key="high", label="To", kind="share"),
            Column(key="n", label="n", kind="count"),
            Column(key="subjects", label="Subjects", kind="count"),
            Column(key="mean_confidence", label="Mean confidence", kind="share"),
            Column(key="accuracy", label="Share right", kind="share"),
        ),
        rows=tuple(
            (name, bin_.low, bin_.high, bin_.n, bin_.n_subjects, bin_.mean_confidence, bin_.accuracy)
            for name, one in found
            if one.operation == ALL
            for bin_ in one.error.bins
        ),
    )


def _diagram(found: list[tuple[str, CalibrationRow]]) -> tuple[Plot, ...]:
    dots = [
        Dot(row=repr(bin_.mean_confidence), series=name, value=bin_.accuracy, interval=None)
        for name, one in found
        if one.operation == ALL
        for bin_ in one.error.bins
    ]
    if not dots:
        return ()
    said = "; ".join(f"{percent(float(dot.row), 0)} % sure, {percent(dot.value, 0)} % right" for dot in dots)
    return (
        Plot(
            id="reliability",
            kind="reliability",
            caption="Reliability: the share right in bins of equal size by confidence.",
            alt=f"Reliability diagram: {said}.",
            table="calibration_bins",
            dots=tuple(dots),
            line=(0.0, "confidence equals the share right"),
        ),
    )
