"""What annotators of one answer disagree on beyond labels, and what an adjudicator may decide on it.

Each question that was answered differently is one dispute: the preference between two answers, the point on
an axis, the verdict on a sentence with its harm, or the tick of a criterion. A study settles them only if its
design says so; how labels are settled is in `annotations/consensus`.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, Literal

from clinicnum.annotations.adjudication import Position, positions_of
from clinicnum.annotations.claim_verdict import CLAIM_VERDICTS, OF_ANSWER, OF_REFERENCE, parts_of
from clinicnum.annotations.consensus.generation_consensus import adjudication_due, hardness
from clinicnum.annotations.custom_field_answers import names_of
from clinicnum.annotations.judgement import CRITERION_VERDICTS, Judgement
from clinicnum.annotations.preference_question import PREFERENCES
from clinicnum.annotations.ratings.rating_axes import numbers_of
from clinicnum.annotations.study_design import Design
from clinicnum.annotations.study_kind import StudyKind
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen

Disputed = Literal["preference", "rating", "verdict", "tick"]
PREFERENCE = "preference"
"""The key of the one question of a pairwise study."""
NOTHING_DUE = Translatable("Nothing is due on this item: the judgements agree, or are not all in. Go on.")
SPLIT_TICKS = {"met", "not_met"}
"""Ticks that are a dispute: that a criterion does not apply contradicts neither."""


class Dispute(Frozen):
    """A question that annotators of one answer answered differently."""

    about: Disputed
    key: str
    """`preference`, the name of an axis, the key of a sentence, or the key of a criterion."""
    given: tuple[str, ...]
    """The different answers, in the order of `options`."""
    options: tuple[str, ...]
    """Every answer that a decision may give."""
    apart: float
    """How far the answers are apart: of ratings the range over that of the axis, else the share of pairs of
    annotators who differ.
    """


@dataclass(frozen=True)
class JudgedItem:
    """The judgements on one item, as adjudicators settle them."""

    judgements: tuple[Judgement, ...]
    """The last judgement of each annotator."""
    design: Design
    """The study's design."""

    @cached_property
    def disputes(self) -> tuple[Dispute, ...]:
        """What the judgements differ on beyond labels."""
        return disputes_of(self.judgements, self.design)

    def positions(self, *, adjudicator: str, item: str) -> tuple[Position, ...]:
        """The distinct judgements, as `positions_of` gives them."""
        return positions_of(
            self.judgements,
            adjudicator=adjudicator,
            item=item,
            texts=names_of(self.design.fields, text=True),
            answers=[answers_of(one, self.disputes) for one in self.judgements],
        )


def disputes_of(judgements: Sequence[Judgement], design: Design | None) -> tuple[Dispute, ...]:
    """What the judgements on one answer differ on, as far as the study has an adjudicator settle it.

    Any two preferences that differ; ratings further apart than `design.rating_limit`; any two verdicts on a
    sentence that differ, or only in harm; a criterion that one calls met and another not met in the same
    version. A question that somebody was not asked is disputed among the others.
    """
    if design is None or not design.adjudicated:
        return ()
    return tuple(_DISPUTES[design.kind](judgements, design))


def answers_of(judgement: Judgement, disputes: Sequence[Dispute]) -> dict[str, str]:
    """Key -> what the judgement answers to each disputed question; one that it leaves open is absent."""
    given = {PREFERENCE: judgement.response_judgement, **judgement.custom}
    given |= {**judgement.claims, **judgement.criteria}
    return {one.key: str(given[one.key]) for one in disputes if one.key in given}


def due_reasons(
    judgements: Sequence[Judgement], disputes: Sequence[Dispute], *, places: int
) -> tuple[str, ...] | None:
    """Why an adjudicator must decide an item that `places` annotators are to judge: `adjudication_due` for
    labels, then the disputes; None until all have judged it.
    """
    if len(judgements) < places:
        return None
    counts = Counter(one.about for one in disputes)
    ratings = (one for one in disputes if one.about == "rating")
    return (
        *adjudication_due(judgements),
        *(["preference: not the same"] if counts["preference"] else []),
        *(f"rating of {one.key}: {one.given[0]} against {one.given[-1]}" for one in ratings),
        *([f"sentences with different verdicts: {counts['verdict']}"] if counts["verdict"] else []),
        *([f"criteria met and not met: {counts['tick']}"] if counts["tick"] else []),
    )


def decides_labels(
    decisions: Collection[str], judged: Mapping[str, Sequence[Judgement]], design: Design | None
) -> bool:
    """Whether any of the adjudicators' decisions settles labels.

    In a study that has only labels settled, every decision does; in others, a decision on a generation whose
    judgements in `judged` differ so much in their labels that an adjudicator must decide.
    """
    if design is None or not design.adjudicated:
        return bool(decisions)
    return any(adjudication_due(judged.get(key, ())) for key in decisions)


def disagreement(judgements: Sequence[Judgement], disputes: Sequence[Dispute]) -> float:
    """How strongly the judgements on one answer disagree, for the adjudicator's queue: `hardness` for labels
    plus how far apart the answers of each dispute are, summed (our own choice).
    """
    labels = hardness(judgements) if all(one.judges_failures for one in judgements) else 0.0
    return labels + sum(one.apart for one in disputes)


def decided_judgement(
    disputes: Sequence[Dispute],
    answers: Mapping[str, str],
    *,
    labels: Judgement | None,
    design: Design,
) -> Judgement:
    """The judgement of a decision, with an answer to each disputed question and to no other; in a study of
    failures `labels` is the judgement that the ticks are added to.

    Raises InputError if an answer is missing, if one is to a question that is not disputed, or cannot be
    given, and where a study of failures lacks `labels` or another one has them.
    """
    _check_answers(disputes, answers)
    failures = design.rules.judges_failures
    if labels is not None and not (failures and labels.judges_failures):
        raise InputError(
            "This study {asks}: {instead}. Nothing was saved: reload the page.",
            asks=design.rules.asks,
            instead=design.rules.instead,
        )
    if failures and labels is None:
        raise InputError("Nothing was decided: take a position over, or give a judgement of your own.")
    if not (failures or disputes):
        raise InputError(NOTHING_DUE)
    made: Mapping[StudyKind, dict[str, Any]] = {
        "failures": {**(labels.model_dump() if labels else {}), "criteria": dict(answers)},
        "pairwise": {"response_judgement": answers.get(PREFERENCE)},
        "ratings": {"response_judgement": "rated", "custom": dict(answers)},
        "claims": {"response_judgement": "checked", "claims": dict(answers)},
    }
    return Judgement.model_validate(made[design.kind])


def _check_answers(disputes: Sequence[Dispute], answers: Mapping[str, str]) -> None:
    asked = {one.key: one for one in disputes}
    for key, answer in answers.items():
        if key not in asked:
            raise InputError(
                "Nobody differs on {key!r}; expected answers to {keys}. Nothing was saved: look at the item "
                "again.",
                key=key,
                keys=", ".join(asked) or Translatable("none"),
            )
        if answer not in asked[key].options:
            raise InputError(
                "{answer!r} cannot be said of {key!r}; expected one of {expected}.",
                answer=answer,
                key=key,
                expected=", ".join(asked[key].options),
            )
    open_ = len(asked) - len(answers)
    if open_:
        raise InputError(
            "{n} of {all} disputed questions are not decided yet; decide each.", n=open_, all=len(asked)
        )


def _dispute(
    about: Disputed, key: str, answers: Sequence[str], options: Sequence[str], apart: float | None = None
) -> Iterator[Dispute]:
    """The dispute on one question, from the answers of its annotators; nothing if all are the same."""
    if len(set(answers)) < 2:
        return
    differ = [one != other for one, other in combinations(answers, 2)]
    yield Dispute(
        about=about,
        key=key,
        given=tuple(one for one in options if one in answers),
        options=tuple(options),
        apart=sum(differ) / len(differ) if apart is None else apart,
    )


def _preference(judgements: Sequence[Judgement], design: Design) -> Iterator[Dispute]:
    return _dispute("preference", PREFERENCE, [one.response_judgement for one in judgements], PREFERENCES)


def _ratings(judgements: Sequence[Judgement], design: Design) -> Iterator[Dispute]:
    for axis in design.fields:
        numbers = numbers_of(axis)
        given = [str(one.custom[axis.name]) for one in judgements if axis.name in one.custom]
        points = [numbers[one] for one in given]
        span = max(points, default=0) - min(points, default=0)
        if span > design.rating_limit:
            whole = max(numbers.values()) - min(numbers.values())
            yield from _dispute("rating", axis.name, given, tuple(numbers), span / whole)


def _verdicts(judgements: Sequence[Judgement], design: Design) -> Iterator[Dispute]:
    for key, answers in _by_key([one.claims for one in judgements]).items():
        yield from _dispute("verdict", key, answers, _verdicts_on(key))


def _verdicts_on(key: str) -> tuple[str, ...]:
    """Every verdict, with its harm, that can be given on the sentence with this key."""
    said = {one.value for one in (OF_ANSWER if key.startswith("a") else OF_REFERENCE)}
    return tuple(one for one in CLAIM_VERDICTS if parts_of(one)[0] in said)


def _ticks(judgements: Sequence[Judgement], design: Design) -> Iterator[Dispute]:
    for key, answers in _by_key([one.criteria for one in judgements]).items():
        if set(answers) >= SPLIT_TICKS:
            yield from _dispute("tick", key, answers, CRITERION_VERDICTS)


def _by_key(answered: Sequence[Mapping[str, str]]) -> dict[str, list[str]]:
    keys = dict.fromkeys(key for one in answered for key in one)
    return {key: [one[key] for one in answered if key in one] for key in keys}


_DISPUTES: Mapping[StudyKind, Callable[[Sequence[Judgement], Design], Iterator[Dispute]]] = {
    "failures": _ticks,
    "pairwise": _preference,
    "ratings": _ratings,
    "claims": _verdicts,
}
