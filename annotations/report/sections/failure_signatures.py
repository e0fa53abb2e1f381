"""Failure signatures: what to examine first if the share of a failure class exceeds a threshold.

The eight classes are those of the MedBench analysis (arXiv 2503.07306), which proposes tiers of remedies from
prompts and retrieval to other architectures. Thresholds are heuristics from a summary of that analysis;
denominators and advice are ours. A signature fires only where the 95 % interval excludes its threshold.
"""

from collections.abc import Iterator

import numpy as np

from clinicnum.annotations.report.answer_parsing_notes import NO_FORM_ASKED, NONE_RIGHT
from clinicnum.annotations.report.failure_class_shares import JudgedGenerations, failures_of, run_failures
from clinicnum.annotations.report.model_run import ModelRun
from clinicnum.annotations.report.question_summary import made_elsewhere
from clinicnum.annotations.report.report_content import Cell, Column, Section, Table
from clinicnum.annotations.report.sections.consensus_wording import (
    BESIDE,
    NO_CLASS,
    TO_SCORE,
    beside_columns,
    by,
)
from clinicnum.annotations.report.sections.remedy_stages import ROBUST, stages_table
from clinicnum.annotations.report.sections.share_cells import figure_cells, figure_columns
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.robustness.option_order import INCOMPLETE, options_rows
from clinicnum.robustness.run_answers_and_pairs import ALL
from clinicnum.stats.clustered_intervals import Subjects
from clinicnum.stats.interval_estimate import Figure, share_of, undefined_figure
from clinicnum.stats.rounded_figures import percent
from clinicnum.taxonomy_codes import HALLUCINATION, OMISSION, UNDETERMINED

MOST_OMISSIONS, MOST_HALLUCINATIONS, LEAST_ROBUST, MOST_FORMAT = 0.40, 0.60, 0.85, 0.10
SHUFFLED = "options.shuffle"
TOO_FEW_RIGHT = "too few answers are right for it to fire"
_ADVICE = {
    "omissions": "ask for the steps, or for a list of points that the answer must hold",
    "hallucinations": "have each value quoted with its record; retrieve the records rather than trust memory",
    ROBUST: "report the worst order of the options, and do not rely on single orders",
    "format": "constrain the output by a schema; read leniently until then",
}
_QUOTE = "have each value quoted from the text; give the model what it needs rather than trust its memory"


def signatures_section(view: StudyView) -> Section:
    """Three signatures per model, four if questions have options, each with share, threshold and verdict."""
    records = any(one.records for one in view.tables.instances)
    rows = tuple((*row, _advice(str(row[1]), records)) for run in view.runs for row in _rows(view, run))
    fired = [row for row in rows if row[-2] == "fires"]
    said = "; ".join(f"{row[1]} ({row[0]}): {row[-1]}" for row in fired)
    return Section(
        id="signatures",
        title="What to look at first",
        paragraphs=(
            "Shares beside thresholds that are heuristics, from a summary of the MedBench analysis "
            f"(arXiv 2503.07306); denominators and advice are ours. "
            f"{f'Signatures that fire: {said}' if fired else 'No signature fires'}"
            f"{_undecided(rows)}.",
        ),
        tables=(_table(view, rows), stages_table(view, {(str(row[0]), str(row[1])): row for row in rows})),
    )


def _points_apart(view: StudyView) -> str:
    """That omissions are no missed answer points, as a sentence begun; empty without items with points."""
    points = any(one.scoring == "points" for one in view.tables.instances)
    return "; how many answer points are missed is another figure" * points


def _undecided(rows: tuple[tuple[Cell, ...], ...]) -> str:
    """How many verdicts are undecided, so that they are not taken for an all-clear; empty if none is."""
    measured = [row for row in rows if row[2] is not None]
    n = sum(str(row[-2]).startswith("open") for row in measured)
    blank = len(rows) - len(measured)
    of = f"the other {len(measured)}" if blank else str(len(measured))
    said = f"{n} of {of} {'is' if n == 1 else 'are'} open, so not decided either way" * bool(n)
    lacking = f"{blank} of {len(rows)} could not be measured" * bool(blank)
    return "".join(f"; {one}" for one in (lacking, said) if one)


def _table(view: StudyView, rows: tuple[tuple[Cell, ...], ...]) -> Table:
    unflagged = "" if made_elsewhere(view.tables.instances) else " on unflagged items"
    own = (
        " The verdict by majority rests on an interval of its own, not shown; what rests on scores alone "
        "has none."
    ) * bool(view.protocol_beside)
    robust = " Robust accuracy: of questions answered in five orders of the options."
    return Table(
        id="signatures",
        caption="Failure signatures",
        note="A signature fires only where the 95 % interval excludes its threshold, is quiet where the "
        "interval lies on the other side and the unweighted share would stay there if every failure whose "
        "class is undetermined or not agreed were of that class, and is open otherwise. Format is quiet only "
        "where more answers are right than its threshold: of fewer it could never fire. Omissions and "
        f"hallucinations: of the failures {by(view.protocol)}, those without an agreed class among them, "
        f"weighted by 1 / inclusion probability{TO_SCORE}{_points_apart(view)}.{own}"
        f"{robust * any(row[1] == ROBUST for row in rows)} Format: right but not in the asked form, of "
        f"generations{unflagged}, variants left out, for which a prompt "
        "of clinicnum's asked for the form. Thresholds are no part of the methods paragraph.",
        trace=f"{BESIDE}; scores.csv: run_id, status, strict, lenient, subject_id, variant, flags, "
        "inclusion_probability",
        columns=(
            Column(key="model", label="Model", once=True),
            Column(key="signature", label="Signature"),
            *figure_columns("share", "Share"),
            Column(key="threshold", label="Threshold"),
            *beside_columns(
                view,
                Column(key="beside_share", label="Share", kind="share"),
                Column(key="beside_verdict", label="Verdict"),
            ),
            Column(key="verdict", label="Verdict"),
            Column(key="advice", label="Look at"),
        ),
        rows=rows,
    )


def _advice(name: str, records: bool) -> str:
    """What to examine; records are mentioned only if there are any."""
    return _ADVICE[name] if records or name != "hallucinations" else _QUOTE


def _rows(view: StudyView, run: ModelRun) -> Iterator[tuple[Cell, ...]]:
    failures = view.once(run_failures)[run.name]
    others = failures_of(view, run, view.settlements_beside) if view.protocol_beside else failures
    for name, code, threshold in (
        ("omissions", OMISSION, MOST_OMISSIONS),
        ("hallucinations", HALLUCINATION, MOST_HALLUCINATIONS),
    ):
        figure, other = failures.share(code), others.share(code)
        beside = (other.value, of_class(others, code, threshold)) if view.protocol_beside else ()
        yield _row(run, name, figure, threshold, beside, said=of_class(failures, code, threshold))
    nothing_beside = (None, None) if view.protocol_beside else ()
    if any(one.instance.options for one in run.answers):
        yield _row(run, ROBUST, _robust(run), LEAST_ROBUST, nothing_beside, above=False)
    form = _format(run)
    yield _row(run, "format", form, MOST_FORMAT, nothing_beside, said=_of_format(run, form))


def _row(
    run: ModelRun,
    name: str,
    figure: Figure,
    threshold: float,
    beside: tuple[Cell, ...],
    *,
    above: bool = True,
    said: str | None = None,
) -> tuple[Cell, ...]:
    limit = f"{'over' if above else 'under'} {percent(threshold, 0)} %"
    said = said or verdict(figure, threshold, above=above)
    return (run.name, name, *figure_cells(figure), limit, *beside, said)


def of_class(failures: JudgedGenerations, code: str, threshold: float) -> str:
    """Verdict on a class's share of failures; open if failures without an agreed class could change it."""
    said = verdict(failures.share(code), threshold, above=True)
    unsettled = sum(one in (UNDETERMINED, NO_CLASS) for one in failures.classes)
    total = sum(one is not None for one in failures.classes)
    if said == "quiet" and failures.count(code) + unsettled > threshold * total:
        return f"open: the class of {unsettled} of {total} failures is undetermined or not agreed"
    return said


def verdict(figure: Figure, threshold: float, *, above: bool) -> str:
    """Whether the figure is beyond its threshold (`above` it, or below): `fires`, `quiet`, or `open: ` or
    `not measured: ` with the reason why it is undecided.
    """
    low, high = figure.interval.low, figure.interval.high
    if low is None or high is None:
        return (
            f"not measured: {figure.undefined}" if figure.undefined else f"open: {figure.interval.undefined}"
        )
    beyond, within = (low > threshold, high < threshold) if above else (high < threshold, low > threshold)
    return "fires" if beyond else "quiet" if within else "open: the interval holds the threshold"


def _robust(run: ModelRun) -> Figure:
    rows = options_rows(run.paired, None)
    plain = [row for row in rows if row.kind == SHUFFLED]
    wanted = [row for row in plain if row.representation == ALL] or plain
    return wanted[0].robust_accuracy if wanted else undefined_figure(INCOMPLETE)


def _of_format(run: ModelRun, form: Figure) -> str:
    """Verdict on the share of answers that are right but not in the form asked for.

    It is open if so few answers are right that the share cannot exceed the threshold.
    """
    right = sum(one.score.lenient for one in run.formed)
    few = form.value is not None and right <= MOST_FORMAT * len(run.formed)
    return f"open: {TOO_FEW_RIGHT}" if few else verdict(form, MOST_FORMAT, above=True)


def _format(run: ModelRun) -> Figure:
    if run.headline and not run.formed:
        return undefined_figure(NO_FORM_ASKED)
    if run.headline and not any(one.score.lenient for one in run.formed):
        return undefined_figure(NONE_RIGHT)
    missed = [one.score.lenient and not one.score.strict for one in run.formed]
    whose = Subjects.of(one.subject for one in run.formed)
    return share_of(whose, np.array(missed, dtype=float), without="nothing was answered")
