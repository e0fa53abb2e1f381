"""What a pairwise study found, in sentences and key figures."""

from collections.abc import Iterator, Sequence

from clinicnum.annotations.pairwise.bradley_terry import BradleyTerry
from clinicnum.annotations.pairwise.preference_counts import PairPreferences, left_share
from clinicnum.annotations.report.pairwise_preferences import Preferences
from clinicnum.annotations.report.report_content import Finding, KeyFigure
from clinicnum.annotations.report.sections.share_cells import ends
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.jackknife import how_many
from clinicnum.stats.rounded_figures import percent


def pairwise_findings(view: StudyView) -> Iterator[Finding]:
    """What a pairwise study found, in sentences."""
    found = Preferences(view)
    for one in _clearest(found.pairs):
        yield Finding(topic="Preference", text=_wins(one), table="pairwise_pairs", holds_labels=True)
    chosen = left_share(found.plain)
    if chosen.value is not None:
        limits = ends(chosen.interval)
        span = f" (95 % interval {percent(limits[0])} to {percent(limits[1])})" if limits else ""
        yield Finding(
            topic="Position",
            text=f"Of {how_many(chosen.n, 'choice')}, {percent(chosen.value)} %{span} fell on the left "
            "answer.",
            table="pairwise_position",
            holds_labels=True,
        )


def _clearest(pairs: Sequence[PairPreferences]) -> Sequence[PairPreferences]:
    """The three pairs whose win rates are farthest from one half."""
    return sorted(pairs, key=lambda one: -abs((one.win_rate.value or 0.5) - 0.5))[:3]


def _wins(pair: PairPreferences) -> str:
    value, limits = pair.win_rate.value or 0.0, ends(pair.win_rate.interval)
    one, other = pair.one, pair.other
    if value < 0.5:
        one, other, value = other, one, 1 - value
        limits = None if limits is None else (1 - limits[1], 1 - limits[0])
    won, lost = (pair.wins, pair.losses) if one == pair.one else (pair.losses, pair.wins)
    ties = pair.both_alike + pair.both_bad
    span = f"95 % interval {percent(limits[0])} to {percent(limits[1])}" if limits else "no interval"
    who = "neither won more often, each in" if value == 0.5 else f"{one} won"
    return (
        f"Of {how_many(pair.win_rate.n, 'comparison')} {one} won {won}, {other} {lost}; the rest are "
        f"{how_many(ties, 'tie')}, {pair.both_bad} of them “both bad”. A tie counting as half, {who} "
        f"{percent(value)} % ({span})."
    )


def _is_apart(limits: tuple[float, float] | None) -> bool:
    return limits is not None and not limits[0] <= 0 <= limits[1]


def _not_apart(name: str, fitted: BradleyTerry) -> str:
    """The models that cannot be told from this one by strength, after a semicolon; empty without any."""
    others = [
        {*pair}.difference((name,)).pop()
        for pair, one in fitted.differences.items()
        if name in pair and not _is_apart(ends(one.interval))
    ]
    return f"; not told apart from {', '.join(sorted(others))}" if others else ""


def pairwise_key_figures(view: StudyView) -> tuple[KeyFigure, ...]:
    """How many comparisons there are, and the strongest model."""
    found = Preferences(view)
    mark = "simulated: " if "simulated" in view.annotator_kind else ""
    figures = [
        KeyFigure(
            label=f"{mark}Comparisons",
            value=str(len(found.plain)),
            note=f"{how_many(len(view.chosen.by_generation), 'pair')} of answers judged",
            table="pairwise_pairs",
        )
    ]
    if found.fitted.strengths:
        name, one = max(found.fitted.strengths.items(), key=lambda entry: (entry[1].value, entry[0]))
        figures.append(
            KeyFigure(
                label=f"{mark}Strongest",
                value=name,
                note=f"strength {one.value:.2f} on the log scale, 0 being the mean of all"
                f"{_not_apart(name, found.fitted)}",
                table="pairwise_strengths",
            )
        )
    return tuple(figures)
