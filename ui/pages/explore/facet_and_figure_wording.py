"""Names of facets' values, figures and sentences of the explore page. No Gradio, no database."""

from collections.abc import Mapping
from functools import cache

from clinicnum.annotations.explore.facet_names import NO_FAILURE, OTHER_DIMENSION, TITLES, VITAL_VALUES
from clinicnum.annotations.explore.slice_accuracy import SliceAccuracy
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.item_dimensions import COMMON
from clinicnum.stats.jackknife import Interval
from clinicnum.stats.rounded_figures import rounded
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.html import MISSING
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.components.value_display_names import WORDS

NONE: dict[str, str] = {
    "variant": Translatable("base question"),
    "vital": Translatable("none named"),
    "status": Translatable("not scored"),
    "label": Translatable("not labelled"),
    "severity": Translatable("not labelled"),
    "cause": Translatable("none suggested"),
    "flag": Translatable("no flag"),
    "tag": Translatable("no tag"),
    "form": Translatable("no answer read"),
    **dict.fromkeys((*COMMON, OTHER_DIMENSION), Translatable("not given")),
}
"""What an empty value of a facet means."""
YES_NO = {"yes": Translatable("yes"), "no": Translatable("no")}
RIGHT_WRONG = {"yes": Translatable("right"), "no": Translatable("wrong")}
SEVERITY_NOT_ASKED = Translatable("not applicable")
NOT_A_FAILURE = Translatable("no failure")
NOT_KNOWN = Translatable("not known")
GENDERS = {"F": Translatable("female"), "M": Translatable("male")}


def title(facet: str) -> str:
    """The facet's title in the page's language."""
    return _(TITLES[facet])


@cache
def _code_names() -> dict[str, str]:
    """The name of each code of the taxonomy."""
    named: dict[str, str] = {NO_FAILURE: NOT_A_FAILURE}
    for group in load_taxonomy().classes:
        named |= {group.code: group.name}
        named |= {f"{group.code}.{one.code}": one.name for one in group.sub_classes}
    return named


class ValueNames:
    """Display names of facet values in the page's language."""

    def __init__(self, runs: Mapping[str, str]) -> None:
        self._runs = runs

    def __call__(self, facet: str, value: str) -> str:
        """The value's name; the value itself if it has none."""
        if not value:
            return _(NONE.get(facet, NOT_KNOWN))
        if facet == "run":
            return self._runs.get(value, value)
        if facet in ("label", "cause"):
            return _(_code_names().get(value, value))
        if facet == "vital":
            return _(VITAL_VALUES.get(value, value))
        if facet == "severity" and value == "not_applicable":
            return _(SEVERITY_NOT_ASKED)
        if facet == "gender":
            return _(GENDERS.get(value, value))
        if facet == "correct":
            return _(RIGHT_WRONG.get(value, value))
        if facet in ("strict", "headline"):
            return _(YES_NO.get(value, value))
        if facet in ("operation", "representation", "status"):
            return _(WORDS.get(value, value))
        return value


def percent(share: float | None) -> str:
    """A share in percent."""
    return MISSING if share is None else f"{rounded(100 * share, 1)} %"


def points(difference: float | None) -> str:
    """A difference in percentage points, with its sign."""
    return MISSING if difference is None else rounded(100 * difference, 1, signed=True).replace("-", "−")


def ends(interval: Interval | None, *, signed: bool = False) -> str:
    """The ends of an interval, in percent or (`signed`) in percentage points; a dash where there is none."""
    if interval is None or interval.low is None or interval.high is None:
        return MISSING
    form = points if signed else lambda share: rounded(100 * share, 1)
    return _("{low} to {high}", low=form(interval.low), high=form(interval.high))


def with_interval(figure: str, interval: str) -> str:
    """A figure with the ends of its interval, if it has any."""
    return figure if interval == MISSING else _("{figure} ({interval})", figure=figure, interval=interval)


def subjects_counted(n: int, *, questions: bool) -> str:
    """The number of patients; `questions`: of questions, where each is its own subject."""
    return (
        ngettext("{n:,} question", "{n:,} questions", n)
        if questions
        else ngettext("{n:,} patient", "{n:,} patients", n)
    )


def summary(found: SliceAccuracy, total: int, *, by_score: bool, questions: bool) -> list[str]:
    """Sentences on the slice: its size, accuracy, and difference from the rest of all `total` answers.

    `questions`: each question is its own subject.

    No accuracy is given of a slice that was chosen by how its answers were scored (`by_score`).
    """
    if not found.n:
        return [_("No answer matches. Remove a filter, or choose other runs.")]
    asked = (
        ngettext("to {n:,} question", "to {n:,} questions", found.subjects)
        if questions
        else ngettext("to questions about {n:,} patient", "to questions about {n:,} patients", found.subjects)
    )
    said = [ngettext("{n:,} answer", "{n:,} answers", found.n), asked]
    told = [" ".join(said) + "."]
    if by_score:
        return [*told, _("They were chosen by their score, so an accuracy would say nothing.")]
    if found.interval.undefined:
        told.append(
            _(
                "Right: {percent}; no interval: {why}.",
                percent=percent(found.accuracy),
                why=_(found.interval.undefined),
            )
        )
    else:
        told.append(
            _(
                "Right: {percent} (95 % interval {interval}).",
                percent=percent(found.accuracy),
                interval=ends(found.interval),
            )
        )
    if found.difference is not None:
        told.append(_beside_the_rest(found, total))
    return told


def _beside_the_rest(found: SliceAccuracy, total: int) -> str:
    interval = found.difference_interval
    told = {"n": total - found.n, "percent": percent(found.rest), "points": points(found.difference)}
    if interval is not None and interval.undefined:
        return _(
            "The other {n:,} answers: {percent} right, a difference of {points} percentage points; no "
            "interval: {why}.",
            **told,
            why=_(interval.undefined),
        )
    return _(
        "The other {n:,} answers: {percent} right, a difference of {points} percentage points "
        "(95 % interval {interval}).",
        **told,
        interval=ends(interval, signed=True),
    )
