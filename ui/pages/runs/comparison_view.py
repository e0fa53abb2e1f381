"""A comparison of runs as sentences and rows of tables. No Gradio, no database."""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from clinicnum.robustness import RunComparison
from clinicnum.stats.paired_tests import ALL, LEVEL, Comparison
from clinicnum.stats.rounded_figures import rounded
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.figure_help import help_button
from clinicnum.ui.components.html import MISSING, framed
from clinicnum.ui.components.language import _
from clinicnum.ui.components.value_display_names import OPERATION_NAMES, REPRESENTATION_NAMES
from clinicnum.ui.pages.runs.view import percent, percent_with_interval

DIFFERENCE_COLUMNS = (
    Translatable("First run"),
    Translatable("Second run"),
    Translatable("Operation"),
    Translatable("Questions"),
    Translatable("First only"),
    Translatable("Second only"),
    Translatable("Points"),
    Translatable("95 % interval"),
    Translatable("p, corrected"),
)
ABOUT = Translatable(
    "Compares runs on the same questions, so that a difference is one of the models and not of what they "
    "were asked. Two to eight runs of one benchmark."
)
NO_PAIR = Translatable(
    "There are no two runs of one benchmark yet. Launch another model on the tab Launch, or upload its "
    "answers."
)
HOW_TO_READ = Translatable(
    "First only, second only: questions that one of both alone got right. Points: accuracy of the first run "
    "less that of the second, in percentage points, on the questions that both answered. The interval and p "
    "are by exact sign flips of whole patients; p is corrected for all pairs and operations of the table, "
    "and a dash stands where so few patients differ that no difference could be shown."
)
BASELINES = (
    Translatable("First record"),
    Translatable("Last record"),
    Translatable("Zero"),
    Translatable("Majority"),
)


def findings_view(found: RunComparison) -> str:
    """The comparison as HTML: a sentence per pair, and the number of questions."""
    said = [_finding(one) for one in found.differences if one.on == ALL]
    left = [
        _(
            "{name} {more} and {failed}",
            name=one.name,
            more=one.n_answered - found.n_common,
            failed=one.n_failed,
        )
        for one in found.runs
        if one.n_failed or one.n_answered > found.n_common
    ]
    basis = _(
        "The accuracy is on the {n} questions that all {runs} runs answered.",
        n=found.n_common,
        runs=len(found.runs),
    )
    if left:
        rest = _(
            "Left out are answers to other questions and failed samples: {counts}.", counts="; ".join(left)
        )
        basis = f"{basis} {rest}"
    items = Markup("").join(Markup("<li>{}</li>").format(text) for text in said)
    what = help_button("model_differences", "findings")
    return framed(Markup("<ul>{}</ul><p>{} {}</p>").format(items, basis, what))


def _finding(one: Comparison) -> str:
    names = {"first": one.first, "second": one.second}
    if one.difference is None:
        return _("{first} and {second} answered no question that counts in common.", **names)
    if one.p_corrected is None or one.p_corrected >= LEVEL:
        return _(
            "No difference is shown between {first} and {second} ({points} points): {only_first} questions "
            "only the first has right, {only_second} only the second.",
            **names,
            points=_points(one.difference),
            only_first=one.only_first,
            only_second=one.only_second,
        )
    better, worse = (one.first, one.second) if one.difference > 0 else (one.second, one.first)
    return _(
        "{better} is right more often than {worse}, by {points} percentage points: {more} questions only it "
        "has right, {fewer} only {worse}.",
        better=better,
        worse=worse,
        points=f"{abs(100 * one.difference):.1f}",
        more=max(one.only_first, one.only_second),
        fewer=min(one.only_first, one.only_second),
    )


def accuracy_table_value(found: RunComparison) -> dict[str, Any]:
    """The table of accuracy, one column a run, as headers and rows."""
    headers = [_("Operation"), _("Representation"), _("Questions"), *(one.name for one in found.runs)]
    rows = []
    for together in zip(*(one.accuracy.distinct_rows for one in found.runs), strict=True):
        same = together[0]
        beside = same.baselines
        rows.append(
            [
                _(OPERATION_NAMES[same.operation]),
                _(REPRESENTATION_NAMES[same.representation]),
                same.n,
                *(percent_with_interval(row.accuracy, row.interval) for row in together),
                *map(percent, (beside.first_record, beside.last_record, beside.zero, beside.majority)),
            ]
        )
    return {"headers": [*headers, *map(_, BASELINES)], "data": rows}


def difference_rows(differences: Sequence[Comparison]) -> list[list[str | int]]:
    """Rows for DIFFERENCE_COLUMNS."""
    return [
        [
            one.first,
            one.second,
            _(OPERATION_NAMES[one.on]),
            one.n,
            one.only_first,
            one.only_second,
            _points(one.difference),
            _interval(one),
            MISSING if one.p_corrected is None else _p(one.p_corrected),
        ]
        for one in differences
    ]


def _interval(one: Comparison) -> str:
    low, high = one.interval.low, one.interval.high
    if low is None or high is None:
        return MISSING
    return _("{low} to {high}", low=_points(low), high=_points(high))


def _points(share: float | None) -> str:
    return MISSING if share is None else rounded(100 * share, 1, signed=True)


def _p(p: float) -> str:
    least = 0.001
    return f"< {least}" if p < least else f"{p:.3f}"
