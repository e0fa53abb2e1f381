"""The verdicts of a claims study with the models behind them, for its report."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from clinicnum.annotations.agreement.compute_agreement import agreement
from clinicnum.annotations.agreement.criterion_agreement import SHOWN
from clinicnum.annotations.agreement.types import AgreementResult, Rating
from clinicnum.annotations.claim_verdict import OF_ANSWER, OF_REFERENCE, parts_of
from clinicnum.annotations.claims.claim import is_complete
from clinicnum.annotations.claims.verdict_shares import CheckedAnswer
from clinicnum.annotations.reliability.intra_rater_agreement import Pair, repeat_pairs
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.types import Annotation

NOBODY = "no sentence was judged by two annotators"
Verdicts = tuple[str, ...]
_Judged = tuple[str, str, Annotation]
"""What is judged, by whom, and the judgement."""


class Question(NamedTuple):
    """A question on sentences on which annotators can agree."""

    label: str
    of: Verdicts
    """Sentences that have one of these verdicts from somebody are asked about."""
    categories: Verdicts
    """A verdict that is none of them counts as `other`; `major` is a harm."""


_OF_ANSWER: Verdicts = tuple(str(one.value) for one in OF_ANSWER)
_OF_REFERENCE: Verdicts = tuple(str(one.value) for one in OF_REFERENCE)
QUESTIONS = (
    Question("Sentences of answers: all three verdicts", _OF_ANSWER, _OF_ANSWER),
    Question("Supported, or not", _OF_ANSWER, ("supported",)),
    Question("Contradicted, or not", _OF_ANSWER, ("contradicted",)),
    Question("Not addressed, or not", _OF_ANSWER, ("not_addressed",)),
    Question("Sentences of references: stated or omitted", _OF_REFERENCE, _OF_REFERENCE),
    Question("Major harm, or not", (*_OF_ANSWER, *_OF_REFERENCE), ("major",)),
)


@dataclass(frozen=True)
class CheckedClaims:
    """The verdicts of a claims study that count."""

    view: StudyView

    @cached_property
    def judged(self) -> dict[str, list[Annotation]]:
        """Generation -> its annotators' last judgements, without those that were locked and not submitted."""
        complete = {
            key: [one for one in given if is_complete(one.claims, self.view.instance(key))]
            for key, given in self.view.chosen.by_generation.items()
        }
        return {key: given for key, given in complete.items() if given}

    @cached_property
    def models(self) -> dict[str, list[CheckedAnswer]]:
        """Name of each run -> its judged answers, each with the last verdicts of its annotators."""
        weights = self.view.sampling_weights or {}
        model = {one.generation.generation_id: run.name for run in self.view.runs for one in run.answers}
        found: dict[str, list[CheckedAnswer]] = defaultdict(list)
        for key, judged in self.judged.items():
            instance, verdicts = self.view.instance(key), [one.claims for one in judged]
            answer = CheckedAnswer(instance.instance_id, instance.subject_id, verdicts, weights.get(key, 1.0))
            found[model[key]].append(answer)
        return {name: found[name] for name in sorted(found)}

    @property
    def answers(self) -> int:
        """How many answers are judged."""
        return sum(map(len, self.models.values()))

    @property
    def judgements(self) -> int:
        """How many judgements of answers count."""
        return sum(len(one.verdicts) for answers in self.models.values() for one in answers)

    @cached_property
    def changed_after_reference(self) -> tuple[int, int]:
        """(changed, total): of the verdicts on answers that were locked before the reference had been seen,
        with this answer or another, how many differ now.
        """
        locked = {
            (one.generation_id, one.annotator_id): one.claims
            for one in self.view.tables.annotations
            if one.round == "main" and not is_complete(one.claims, self.view.instance(one.generation_id))
        }
        both = [
            (verdict, one.claims.get(key))
            for given in self.judged.values()
            for one in given
            if not one.reference_known
            for key, verdict in locked.get((one.generation_id, one.annotator_id), {}).items()
        ]
        return sum(first != last for first, last in both), len(both)

    @cached_property
    def repeats(self) -> tuple[Pair, ...]:
        """Pairs of one annotator's judgements of one answer: main round and blind repeat, both submitted."""
        return tuple(
            pair
            for pair in repeat_pairs(self.view.tables.annotations)
            if all(is_complete(one.claims, self.view.instance(one.generation_id)) for one in pair)
        )

    @property
    def repeated_by(self) -> int:
        """How many annotators judged an answer twice."""
        return len({one.annotator_id for pair in self.repeats for one in pair})

    def agreement_on(self, question: Question, *, repeats: bool = False) -> AgreementResult | None:
        """Agreement on a question, each sentence being one item; None if no sentence was judged twice.

        With `repeats`, it is that of each annotator's two passes over a sentence.
        """
        ratings = list(self._ratings(question, self._passes() if repeats else self._judgements()))
        if len({one.item for one in ratings}) == len(ratings):
            return None
        categories = question.categories if len(question.categories) > 1 else (*question.categories, "other")
        return agreement(ratings, scale="nominal", categories=categories, only=SHOWN)

    def _judgements(self) -> Iterator[_Judged]:
        for key, given in self.judged.items():
            yield from ((key, one.annotator_id, one) for one in given)

    def _passes(self) -> Iterator[_Judged]:
        for first, second in self.repeats:
            item = f"{first.generation_id} {first.annotator_id}"
            yield from ((item, "first", first), (item, "second", second))

    def _ratings(self, question: Question, judged: Iterable[_Judged]) -> Iterator[Rating]:
        for item, rater, one in judged:
            for claim, verdict in one.claims.items():
                name, harm = parts_of(verdict)
                if name in question.of:
                    said = harm if question.categories == ("major",) else name
                    yield Rating(
                        item=f"{item} {claim}",
                        annotator=rater,
                        label=said if said in question.categories else "other",
                        cluster=self.view.instance(one.generation_id).subject_id,
                    )
