"""The preferences of a pairwise study with the models compared, for its report and its exports."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from clinicnum.annotations.pairwise.bradley_terry import BradleyTerry, Comparison, Outcome, fit_bradley_terry
from clinicnum.annotations.pairwise.preference_counts import PairPreferences, pair_preferences
from clinicnum.annotations.preference_question import seen_from
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.types import Annotation
from clinicnum.errors import InputError

_OUTCOMES: Mapping[str, Outcome] = {"first_better": "left", "second_better": "right"}
_TIES: Mapping[str, Outcome] = {"both_alike": "both_alike", "both_bad": "both_bad"}


@dataclass(frozen=True)
class ComparedAnswers:
    """The pairs of compared answers, with their models."""

    seconds: Mapping[str, str]
    """First generation of each pair -> the second."""
    model_of: Mapping[str, str]
    """Generation -> name of its run in the report."""

    @classmethod
    def of(cls, view: StudyView) -> "ComparedAnswers":
        """The pairs of a pairwise study."""
        return cls(
            {one.generation_id: one.second for one in view.tables.inclusions if one.second is not None},
            {one.generation.generation_id: run.name for run in view.runs for one in run.answers},
        )

    def models(self, annotation: Annotation) -> tuple[str, str]:
        """The models of the first and the second answer. Raises InputError for an item without a pair."""
        first = annotation.generation_id
        if first not in self.seconds or self.seconds[first] not in self.model_of:
            raise InputError(
                "generation {first} was compared with none that is here; load the study's files anew",
                first=first,
            )
        return self.model_of[first], self.model_of[self.seconds[first]]

    def comparison(self, annotation: Annotation, subject: str) -> Comparison:
        """One preference, with models by the annotator's left and right side."""
        first, second = self.models(annotation)
        turned = annotation.left == "second"
        left, right = (second, first) if turned else (first, second)
        return Comparison(subject, left, right, side_chosen(annotation))


def side_chosen(annotation: Annotation) -> Outcome:
    """The preferred side, or the kind of tie. Raises InputError for any other judgement."""
    said = annotation.response_judgement
    if said in _TIES:
        return _TIES[said]
    if annotation.kind != "pairwise":
        raise InputError("{said} is no preference between two answers", said=said)
    return _OUTCOMES[seen_from(annotation.left, said)]


@dataclass(frozen=True)
class Preferences:
    """A study's preferences, and their results."""

    view: StudyView

    @cached_property
    def comparisons(self) -> tuple[tuple[str, Comparison], ...]:
        """(item, comparison) of each preference; the item is the id of the pair's first generation."""
        pairs = ComparedAnswers.of(self.view)
        return tuple(
            (one.generation_id, pairs.comparison(one, self.view.instance(one.generation_id).subject_id))
            for one in self.view.chosen.annotations
        )

    @cached_property
    def plain(self) -> tuple[Comparison, ...]:
        """The comparisons alone."""
        return tuple(one for _, one in self.comparisons)

    @cached_property
    def fitted(self) -> BradleyTerry:
        """The Bradley-Terry model, with a position effect."""
        return fit_bradley_terry(self.plain)

    @cached_property
    def pairs(self) -> tuple[PairPreferences, ...]:
        """Wins and ties, pair by pair."""
        return pair_preferences(self.comparisons)
