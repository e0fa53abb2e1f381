"""The report of a pairwise study: strengths, wins pair by pair, what the position did, agreement."""

from collections import Counter

from clinicnum.annotations.agreement.criterion_agreement import SHOWN
from clinicnum.annotations.agreement.types import CoefficientValue
from clinicnum.annotations.pairwise.bradley_terry import Estimate
from clinicnum.annotations.pairwise.preference_counts import left_share
from clinicnum.annotations.report.judgements_with_decisions import where_they_differ
from clinicnum.annotations.report.model_run import one_model_asked_twice, run_or_model
from clinicnum.annotations.report.pairwise_preferences import Preferences
from clinicnum.annotations.report.report_content import (
    Cell,
    Column,
    Dot,
    Gap,
    Plot,
    Section,
    Table,
)
from clinicnum.annotations.report.sections.judged_answers import cut_off_answers, questions_judged
from clinicnum.annotations.report.sections.share_cells import (
    EFFECTIVE,
    ends,
    figure_cells,
    figure_columns,
    method_of,
    methods_said,
    remarks,
)
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.jackknife import how_many

TRACE = (
    "comparisons.csv: last, round, answer_read, generation_id, chosen, left, first_model, second_model; "
    "scores.csv: subject_id"
)

_AGREEMENT = ("Agree", "AC1", "Alpha")
"""Headings of the coefficients in `SHOWN`."""


def pairwise_section(view: StudyView) -> Section:
    """All that a pairwise study finds, from each annotator's last preference on each item."""
    found = Preferences(view)
    undefined = found.fitted.undefined
    return Section(
        id="pairwise",
        title="Which answers are preferred?",
        main=True,
        paragraphs=(_method(found),),
        tables=tuple(
            table
            for table in (_strengths(found), _pairs(found), _position(found), _agreement(view))
            if table.rows
        ),
        plots=_plot(found),
        gaps=(
            *(
                (Gap(what=f"Strengths of the {run_or_model(view.runs)}s", why=undefined),)
                if undefined
                else ()
            ),
            *_themselves(view),
        ),
    )


def _method(found: Preferences) -> str:
    items = len({item for item, _ in found.comparisons})
    return (
        f"n = {how_many(len(found.plain), 'comparison')} of {how_many(items, 'pair')}, each of two answers "
        f"to one question.{questions_judged(found.view)}"
        f"{one_model_asked_twice(found.view.runs)} Each comparison counts as it was made"
        f"{_settling(found.view)}. {_in_sight(found.view)}, model names were masked, and which answer stood "
        "on the left was drawn for each annotator and pair. Strengths are those of the Bradley-Terry model "
        "with ties after Davidson (1970) and an effect of the position after Davidson and Beaver (1977), on "
        f"the log scale with mean 0: of two {run_or_model(found.view.runs)}s whose strengths differ by d, "
        "the stronger is preferred e^d times as often as the other, the sides being equal. Both alike and "
        "both bad are ties. Intervals leave out one subject at a time, with all comparisons of its items (of "
        "strengths and of the position by one Newton step from the estimate, not by a fit of its own); "
        f"another group of annotators may prefer otherwise. {EFFECTIVE} Comparisons are not weighted."
        f"{cut_off_answers(found.view)}"
    )


def _themselves(view: StudyView) -> tuple[Gap, ...]:
    """Why nothing is said of annotators' agreement with themselves; an empty tuple without a comparison."""
    twice = sum(one.round == "repeat" for one in view.tables.annotations)
    why = "no pair came twice to an annotator"
    if twice:
        why = f"not computed for pairs: {how_many(twice, 'row')} of comparisons.csv are of the repeat round"
    return (Gap(what="Agreement of annotators with themselves", why=why),) * bool(view.tables.annotations)


def _in_sight(view: StudyView) -> str:
    """What those who compared the answers knew of gold and score."""
    if view.chosen.scripted:
        return "The page shows neither gold nor score; scripts compared by the scores and partly by chance"
    return "People saw neither gold nor score"


def _settling(view: StudyView) -> str:
    said = where_they_differ(view, "annotators of a pair differ")
    return said if said.endswith(")") else f"{said}, and no adjudicator decides"


def _value(one: Estimate | None) -> tuple[Cell, Cell]:
    return (None, None) if one is None else (one.value, ends(one.interval))


def _said(*estimates: Estimate | None) -> str | None:
    told = [one.interval.undefined or one.interval.warning for one in estimates if one is not None]
    return "; ".join(dict.fromkeys(text for text in told if text)) or None


def _method_of(one: Estimate | None) -> str | None:
    return None if one is None or one.interval.low is None else one.interval.method


def _estimate_columns(key: str, label: str) -> tuple[Column, ...]:
    return (
        Column(key=key, label=label, kind="number"),
        Column(key=f"{key}_ci95", label="95 % interval", kind="interval", under=True),
    )


def _strengths(found: Preferences) -> Table:
    won, tied, lost = Counter[str](), Counter[str](), Counter[str]()
    for pair in found.pairs:
        won += Counter({pair.one: pair.wins, pair.other: pair.losses})
        lost += Counter({pair.one: pair.losses, pair.other: pair.wins})
        ties = pair.both_alike + pair.both_bad
        tied += Counter({pair.one: ties, pair.other: ties})
    names = {name for pair in found.pairs for name in (pair.one, pair.other)}
    strengths, what = found.fitted.strengths, run_or_model(found.view.runs)

    def rank(name: str) -> tuple[float, str]:
        return (-strengths[name].value if name in strengths else 0.0), name

    return Table(
        id="pairwise_strengths",
        caption=f"Strengths of the {what}s",
        note="Unit: a comparison, that is one annotator's preference between two answers. A strength has no "
        f"meaning but against others: 0 is the mean of these {what}s."
        + methods_said(("Strength", _method_of(one)) for one in strengths.values()),
        trace=TRACE,
        columns=(
            Column(key="model", label="Model"),
            *_estimate_columns("strength", "Strength"),
            Column(key="won", label="Preferred", kind="count"),
            Column(key="tied", label="Tied", kind="count"),
            Column(key="lost", label="Other preferred", kind="count"),
            Column(key="remark", label="Remark", kind="note"),
        ),
        rows=tuple(
            (
                name,
                *_value(strengths.get(name)),
                *(won[name], tied[name], lost[name]),
                found.fitted.undefined or _said(strengths.get(name)),
            )
            for name in sorted(names, key=rank)
        ),
    )


def _pairs(found: Preferences) -> Table:
    differences = found.fitted.differences.values()
    return Table(
        id="pairwise_pairs",
        caption="Preferences, pair by pair",
        note="Unit: a comparison; a pair is of answers to one question. The win rate of the first named "
        "counts a tie as half a win; intervals are over subjects. The difference is that of the strengths, "
        "which rest on all pairs."
        + methods_said(
            (
                *(("Win rate", method_of(one.win_rate)) for one in found.pairs),
                *(("Difference", _method_of(one)) for one in differences),
            )
        ),
        trace=TRACE,
        columns=(
            Column(key="model", label="Model"),
            Column(key="other", label="Against"),
            Column(key="items", label="Pairs", kind="count"),
            Column(key="won", label="Preferred", kind="count"),
            Column(key="lost", label="Other preferred", kind="count"),
            Column(key="both_alike", label="Both alike", kind="count"),
            Column(key="both_bad", label="Both bad", kind="count"),
            *figure_columns("win_rate", "Win rate"),
            *_estimate_columns("difference", "Difference"),
            Column(key="remark", label="Remark", kind="note"),
        ),
        rows=tuple(
            (
                *(one.one, one.other, one.items, one.wins, one.losses, one.both_alike, one.both_bad),
                *figure_cells(one.win_rate),
                *_value(found.fitted.differences.get((one.one, one.other))),
                remarks(one.win_rate),
            )
            for one in found.pairs
        ),
    )


def _position(found: Preferences) -> Table:
    chosen, fitted = left_share(found.plain), found.fitted.position
    rows: list[tuple[Cell, ...]] = [
        (*figure_cells(chosen), *_value(fitted), remarks(chosen) or found.fitted.undefined or _said(fitted))
    ]
    return Table(
        id="pairwise_position",
        caption="Does the left answer win by its place?",
        note="Unit: a comparison; of the share, one in which an answer was called better. Without an "
        "effect of the position the share is near one half, the log-odds near 0. The log-odds are of the "
        "left answer against the right, were both equally strong; the share does not allow for whose answer "
        "stood there."
        + methods_said(
            (("Left one chosen", method_of(chosen)), ("Log-odds for the left", _method_of(fitted)))
        ),
        trace=TRACE,
        columns=(
            *figure_columns("left", "Left one chosen"),
            *_estimate_columns("position", "Log-odds for the left"),
            Column(key="remark", label="Remark", kind="note"),
        ),
        rows=tuple(rows) if found.plain else (),
    )


def _agreement(view: StudyView) -> Table:
    result = view.agreement.layer("response_judgement").result
    values = [] if result is None else [result.coefficient(name) for name in SHOWN]
    agree, ac1, alpha = _AGREEMENT
    reasons = dict.fromkeys(one.undefined for one in values if one.undefined)
    row: tuple[Cell, ...] = ()
    if values:
        cells = (cell for one in values for cell in (one.value, one.ci95))
        row = (values[0].n_items, *cells, "; ".join(reasons) or None)
    return Table(
        id="pairwise_agreement",
        caption="Agreement on the preference",
        note="Unit: a pair of answers, with each annotator's last preference: one answer or the other "
        "better, both alike, both bad are four categories, whichever side an answer stood on. Agree is the "
        "share of pairs of preferences that are equal. Which answer is “one” was drawn, and AC1 (Gwet) and "
        "nominal alpha (Krippendorff) depend on it."
        + methods_said(zip(_AGREEMENT, map(_ci_method, values), strict=False)),
        trace="comparisons.csv: last, round, answer_read, generation_id, annotator_id, preference; "
        "scores.csv: subject_id",
        columns=(
            Column(key="n", label="Judged by two or more", kind="count"),
            Column(key=SHOWN[0], label=agree, kind="share"),
            Column(key=f"{SHOWN[0]}_ci95", label="95 % interval", kind="share_interval", under=True),
            Column(key=SHOWN[1], label=ac1, kind="number"),
            Column(key=f"{SHOWN[1]}_ci95", label="95 % interval", kind="interval", under=True),
            Column(key=SHOWN[2], label=alpha, kind="number"),
            Column(key=f"{SHOWN[2]}_ci95", label="95 % interval", kind="interval", under=True),
            Column(key="remark", label="Remark", kind="note"),
        ),
        rows=(row,) if row else (),
    )


def _ci_method(one: CoefficientValue) -> str | None:
    return None if one.ci95 is None else one.ci_method


def _plot(found: Preferences) -> tuple[Plot, ...]:
    fitted, what = found.fitted, run_or_model(found.view.runs)
    if not fitted.strengths:
        return ()
    ranked = sorted(fitted.strengths.items(), key=lambda entry: (-entry[1].value, entry[0]))
    return (
        Plot(
            id="pairwise_strengths",
            kind="dots",
            caption=f"Strengths of the {what}s, with 95 % intervals",
            alt=f"Strength of each of {len(ranked)} {what}s with its interval, the strongest first.",
            table="pairwise_strengths",
            unit="number",
            dots=tuple(
                Dot(row=name, series="Strength", value=one.value, interval=ends(one.interval))
                for name, one in ranked
            ),
            line=(0.0, f"mean of the {what}s"),
        ),
    )
