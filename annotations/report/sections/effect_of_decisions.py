"""The section on decisions beyond labels: what adjudicators decided, and the figures with and without it."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from clinicnum.annotations.claims.verdict_shares import model_figure
from clinicnum.annotations.disputes import answers_of
from clinicnum.annotations.report.checked_claims import CheckedClaims
from clinicnum.annotations.report.judgements_with_decisions import (
    DECISIONS,
    disputed_generations,
    standing_answers,
    with_decisions,
)
from clinicnum.annotations.report.pairwise_preferences import Preferences
from clinicnum.annotations.report.rated_answers import LOW, Ratings
from clinicnum.annotations.report.report_content import Cell, Column, Gap, Section, Table
from clinicnum.annotations.report.sections.annotator_table_helpers import spoken
from clinicnum.annotations.report.sections.claims import SHARES
from clinicnum.annotations.report.sections.criteria import scores_by_run
from clinicnum.annotations.report.sections.criterion_use import criteria_ticks
from clinicnum.annotations.report.sections.share_cells import ends
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.study_kind import StudyKind
from clinicnum.stats.interval_estimate import Figure
from clinicnum.stats.jackknife import Interval, how_many

_DIFFER: Mapping[StudyKind, str] = {
    "failures": "one annotator calls a criterion met and another not met",
    "pairwise": "two annotators prefer differently, two kinds of ties included",
    "ratings": "two ratings on an axis are more than {limit} apart",
    "claims": "two annotators give a sentence different verdicts, or different harm",
}
_TABLES: Mapping[StudyKind, str] = {
    "failures": "criteria.csv: verdict, adjudicated, weight, must_have, generation_id",
    "pairwise": "comparisons.csv: last, round, preference, left, adjudicated, adjudicated_left, first_model, "
    "second_model",
    "ratings": "ratings.csv: last, round, axis, number, adjudicated_number, model",
    "claims": "claims.csv: last, complete, round, verdict, harm, adjudicated_verdict, adjudicated_harm, "
    "model",
}


_ANSWERS: Mapping[StudyKind, str] = {
    "failures": "annotations.csv: annotation_id; criteria.csv: generation_id, annotator_id, criterion_id, "
    "version, verdict",
    "pairwise": "comparisons.csv: annotation_id, preference, left",
    "ratings": "ratings.csv: annotation_id, axis, point",
    "claims": "claims.csv: annotation_id, claim, verdict, harm",
}
"""Kind of study -> the exported columns that hold what annotators said."""
_MOST_NAMED = 8


class Named(NamedTuple):
    """Which figure of which model."""

    model: str
    of: str
    """The axis, or the other model of a pair; empty for others."""
    figure: str
    is_share: bool


class Value(NamedTuple):
    """The value of a figure with its interval, or the reason why it has none."""

    number: float | None
    interval: Interval | None
    undefined: str | None
    """Why there is no number."""
    n: int
    """Number of answers, sentences or comparisons that it is computed from."""

    @property
    def lacks(self) -> str | None:
        """Why the number or its interval is missing, or must be read with care."""
        if self.undefined or self.interval is None:
            return self.undefined
        return self.interval.undefined or self.interval.warning


def decided_answers_section(view: StudyView) -> Section:
    """Decisions beyond labels; empty for a study whose adjudicators decide on labels alone."""
    design = view.tables.design
    if design is None or not design.adjudicated:
        return Section(id="disputes", title="")
    settled = with_decisions(view)
    disputed, decided = view.once(disputed_generations), view.once(standing_answers)
    return Section(
        id="disputes",
        title=DECISIONS,
        paragraphs=(
            _rule(view, len(disputed), len(decided)),
            *_counted(view, settled),
        ),
        tables=() if settled is None else tuple(_tables(view, settled)),
        gaps=tuple(_undecided(view, disputed, decided)),
    )


def _undecided(view: StudyView, disputed: Collection[str], decided: Collection[str]) -> Iterator[Gap]:
    """What figures with decisions lack; nothing if a decision stands wherever annotators differ."""
    still = sorted(key for key in disputed if key not in decided)
    if not decided:
        why = "no adjudicator has decided yet" if disputed else "annotators differ on nothing to be decided"
        yield Gap(what="Figures with adjudicators' decisions", why=why)
    elif still:
        named = f"{', '.join(still[:_MOST_NAMED])}{', ...' * (len(still) > _MOST_NAMED)}"
        why = f"no decision stands on {len(still)} of the {how_many(len(disputed), _unit(view))}: {named}"
        yield Gap(what=f"All of “{DECISIONS}”", why=why)


def _unit(view: StudyView) -> str:
    return "pair" if view.tables.kind == "pairwise" else "answer"


def _rule(view: StudyView, disputed: int, decided: int) -> str:
    design = view.tables.design
    limit = how_many(design.rating_limit, "point") if design else ""
    differ = _DIFFER[view.tables.kind].format(limit=limit)
    return (
        f"An adjudicator decides where {differ}. n = {how_many(disputed, _unit(view))} that all annotators "
        f"asked have judged and on which they differ in this way; a decision stands on {decided} of these."
    )


def _adjudicators(view: StudyView) -> str:
    """What adjudicators had in sight, and who they were."""
    made = [one for one, _ in view.once(standing_answers).values()]
    if any(one.adjudicator_id in view.scripted_adjudicators for one in made):
        return "Scripted adjudicators test the software."
    seen = sum(one.blind is False for one in made)
    unmasked = f" ({seen} of {how_many(len(made), 'decision')} after models had been shown)" * bool(seen)
    return (
        "Adjudicators saw the different judgements without names or counts, in random order, with models "
        f"masked{unmasked}, and gave a reason."
    )


def _counted(view: StudyView, settled: StudyView | None) -> Iterator[str]:
    """How decisions enter the figures; nothing without decisions."""
    if settled is not None:
        yield (
            "With decisions: each annotator's answer to a decided question counts as the decision, and every "
            "other answer as it was given, so that no answer gains or loses weight. Agreement is never "
            f"counted with decisions. {_adjudicators(view)}"
        )


def _tables(view: StudyView, settled: StudyView) -> Iterator[Table]:
    figures = _FIGURES[view.tables.kind]
    given, with_them = dict(figures(view)), dict(figures(settled))
    for is_share in (True, False):
        names = [name for name in given if name.is_share == is_share]
        if names:
            yield _figures_table(view, names, given, with_them, is_share=is_share)
    yield _decisions(view)


def _figures_table(
    view: StudyView,
    names: Sequence[Named],
    given: Mapping[Named, Value],
    decided: Mapping[Named, Value],
    *,
    is_share: bool,
) -> Table:
    by_axis = any(one.of for one in names)
    kind, interval = ("share", "share_interval") if is_share else ("number", "interval")
    return Table(
        id="decided_shares" if is_share else "decided_numbers",
        caption=f"{'Shares and scores' if is_share else 'Means and strengths'} with decisions, and as judged",
        note="Unit and intervals: as in the table of the figure as judged. As judged: as annotators gave it. "
        "n: the answers, sentences, items or comparisons that the figure is computed from.",
        trace=f"{_TABLES[view.tables.kind]}; scores.csv: run_id, subject_id",
        columns=(
            Column(key="model", label="Model"),
            *([Column(key="of", label="Axis, or against")] if by_axis else []),
            Column(key="figure", label="Figure"),
            Column(key="decided", label="With decisions", kind=kind),
            Column(key="decided_ci95", label="95 % interval", kind=interval, under=True),
            Column(key="given", label="As judged", kind=kind),
            Column(key="given_ci95", label="95 % interval", kind=interval, under=True),
            Column(key="n", label="n", kind="count"),
            Column(key="remark", label="Remark", kind="note"),
        ),
        rows=tuple(
            (
                *(one.model, *([one.of or None] if by_axis else []), one.figure),
                *(*_cells(decided[one]), *_cells(given[one]), given[one].n),
                "; ".join(dict.fromkeys(said for of in (decided[one], given[one]) if (said := of.lacks)))
                or None,
            )
            for one in names
        ),
    )


def _cells(value: Value) -> tuple[Cell, Cell]:
    return value.number, None if value.interval is None else ends(value.interval)


def _decisions(view: StudyView) -> Table:
    by_id = {one.annotation_id: one for one in view.tables.annotations}
    disputed = view.once(disputed_generations)
    rows: list[tuple[Cell, ...]] = []
    for key, (one, answers) in view.once(standing_answers).items():
        said = [answers_of(by_id[cited], disputed[key]) for cited in one.cites if cited in by_id]
        for question, answer in answers.items():
            differing = sorted({given[question] for given in said if question in given})
            words = (spoken(" against ".join(differing)), spoken(answer))
            rows.append((key, question, *words, one.adjudicator_id, len(one.cites), one.comment))
    return Table(
        id="decided_questions",
        caption="Decisions that stand, question by question",
        note=f"Unit: a disputed question; n = {len(rows)}. Question: the criterion and its version, the "
        "axis, the sentence by its characters (a: of the answer, r: of the reference), or the preference, in "
        "which the first answer is that of the generation named. Made on: the judgements that it cites.",
        trace="adjudications.csv: generation_id, stands, decided, adjudicator_id, cites, comment; "
        f"{_ANSWERS[view.tables.kind]}",
        detail=True,
        columns=(
            Column(key="generation_id", label="Generation", kind="code"),
            Column(key="question", label="Question"),
            Column(key="said", label="Annotators said"),
            Column(key="decided", label="Decided"),
            Column(key="adjudicator", label="By"),
            Column(key="settles", label="Made on", kind="count"),
            Column(key="comment", label="Why"),
        ),
        rows=tuple(rows),
    )


def _of(figure: Figure) -> Value:
    return Value(figure.value, figure.interval, figure.undefined, figure.n)


def _criteria(view: StudyView) -> Iterator[tuple[Named, Value]]:
    for model, (_, found) in scores_by_run(view, criteria_ticks(view)).items():
        for label, figure in (
            ("Weighted score", found.weighted),
            ("Macro-recall", found.macro_recall),
            ("Omission rate", found.omission),
            ("Fails a must-have", found.must_have_failure),
        ):
            yield Named(model, "", label, is_share=True), _of(figure)


def _ratings(view: StudyView) -> Iterator[tuple[Named, Value]]:
    for axis, model, found in Ratings(view).figures:
        yield Named(model, axis.name, "Mean", is_share=False), _of(found.mean)
        yield Named(model, axis.name, LOW, is_share=True), _of(found.low)


def _claims(view: StudyView) -> Iterator[tuple[Named, Value]]:
    for model, answers in CheckedClaims(view).models.items():
        for measure, label in SHARES:
            yield Named(model, "", label, is_share=True), _of(model_figure(answers, measure))


def _preferences(view: StudyView) -> Iterator[tuple[Named, Value]]:
    found = Preferences(view)
    for pair in found.pairs:
        yield Named(pair.one, pair.other, "Win rate", is_share=True), _of(pair.win_rate)
    for model in sorted({name for pair in found.pairs for name in (pair.one, pair.other)}):
        strength = found.fitted.strengths.get(model)
        n = sum(model in (one.left, one.right) for one in found.plain)
        value = (
            Value(None, None, found.fitted.undefined, n)
            if strength is None
            else Value(strength.value, strength.interval, None, n)
        )
        yield Named(model, "", "Strength", is_share=False), value


_FIGURES: Mapping[StudyKind, Callable[[StudyView], Iterator[tuple[Named, Value]]]] = {
    "failures": _criteria,
    "pairwise": _preferences,
    "ratings": _ratings,
    "claims": _claims,
}
