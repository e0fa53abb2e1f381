"""How often annotators judged a repeated item as they had before."""

from collections.abc import Sequence

from clinicnum.annotations.agreement import CoefficientValue
from clinicnum.annotations.agreement.intervals import EXACT
from clinicnum.annotations.reliability.intra_rater_agreement import Pair, Question, intra_rater, repeated
from clinicnum.annotations.report.report_content import Cell, Column, Table
from clinicnum.annotations.report.sections.annotator_table_helpers import Asked
from clinicnum.annotations.report.sections.consensus_wording import last_responses
from clinicnum.annotations.report.study_view import StudyView


def repeats_table(view: StudyView, pairs: Sequence[Pair], questions: tuple[Asked, ...]) -> Table:
    """Agreement of each annotator's first and second judgements of a generation, by question."""
    rows: list[tuple[Cell, ...]] = []
    for question in questions:
        what = Question(question.name, "nominal", question.categories, question.label)
        for one in intra_rater(pairs, what, view.subjects):
            if one.result is None:
                rows.append((question.title, one.annotator, 0, None, None, None, None, None, one.undefined))
                continue
            percent = one.result.coefficient("percent_agreement")
            kappa = one.result.coefficient("cohen_kappa")
            ci95, method = _interval(percent)
            how = _both(method, _cut(kappa))
            rows.append(
                (
                    question.title,
                    one.annotator,
                    one.pairs,
                    one.days,
                    percent.value,
                    ci95,
                    kappa.value,
                    kappa.ci95,
                    how,
                )
            )
    return Table(
        id="annotators_repeats",
        caption=f"Annotators against themselves: {'' if view.chosen.scripted else 'blind '}repeats",
        note=f"Unit: pairs of judgements of a generation by one annotator; n = {len(pairs)}"
        f"{_unpaired(view, pairs)}. Kappa: Cohen's, "
        f"first pass against second. Days: median between the passes. An item in the notes is such a "
        "pair. Item, codes and severity are not compared here."
        f"{_shown_before(view)}{_copies(view)}{last_responses(view)}",
        trace="annotations.csv: round, generation_id, annotator_id, revision, last, created_at, "
        "response_judgement, primary",
        columns=(
            Column(key="question", label="Of"),
            Column(key="annotator", label="Annotator", kind="code"),
            Column(key="pairs", label="Pairs", kind="count"),
            Column(key="days", label="Days", kind="number"),
            Column(key="agree", label="Agree", kind="share"),
            Column(key="agree_ci95", label="95 % interval", kind="share_interval", under=True),
            Column(key="kappa", label="Kappa", kind="number"),
            Column(key="kappa_ci95", label="95 % interval", kind="interval", under=True),
            Column(key="remark", label="Note", kind="note"),
        ),
        rows=tuple(rows),
        value="agree",
    )


def _interval(percent: CoefficientValue) -> tuple[tuple[float, float] | None, str | None]:
    """Interval and method of a percent agreement. One that is cut off at 1 though a pair differs is replaced
    by Clopper and Pearson's, as where all agree: else one difference would raise the lower bound.
    """
    method = percent.undefined or percent.ci_method
    if percent.value is None or percent.ci95 is None or not percent.value < percent.ci95[1] >= 1:
        return percent.ci95, method
    from scipy.stats import binomtest  # costs a quarter of a second: not at import

    n = percent.n_items
    agree = round(percent.value * n)
    low, high = binomtest(agree, n).proportion_ci(method="exact")
    return (float(low), float(high)), f"{EXACT}, {agree} of {n} items agree"


def _cut(kappa: CoefficientValue) -> str | None:
    """The method of a kappa's interval, and that it is cut off at 1 if it is."""
    method = kappa.undefined or kappa.ci_method
    cut = kappa.value is not None and kappa.ci95 is not None and kappa.value < kappa.ci95[1] >= 1
    return f"{method}; symmetric and cut off at 1: too short" if cut else method


def _shown_before(view: StudyView) -> str:
    """In what sense repeats are blind; empty for scripts, which forget and recognise nothing."""
    return " Blind: not marked as repeats; gold and score had been shown at the first pass." * (
        not view.chosen.scripted
    )


def _copies(view: StudyView) -> str:
    """A sentence that repeats by clinicnum's scripts are copies; empty if people judged."""
    said = (
        " clinicnum's scripted annotators draw an error once for each annotator and generation: they repeat "
        "their first judgement, and agreement and its interval say nothing but that."
    )
    return said * view.chosen.scripted


def _both(agree: str | None, kappa: str | None) -> str | None:
    """The methods of two intervals, or the reasons why they are missing; stated once if both are the same."""
    return agree if agree == kappa else f"agree: {agree}; kappa: {kappa}"


def _unpaired(view: StudyView, pairs: Sequence[Pair]) -> str:
    """How many repeats have no first judgement to compare with; empty if all have one."""
    n = len(repeated(view.tables.annotations)) - len(pairs)
    are = "repeat is" if n == 1 else "repeats are"
    return f"; {n} {are} in no pair, as suggestions were open or a judgement is incomplete" if n else ""
