"""The ratings of a study with the models behind them, for its report."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from clinicnum.annotations.agreement.revision_selection import counted_revisions
from clinicnum.annotations.custom_fields import CustomField
from clinicnum.annotations.ratings.rating_axes import numbers_of
from clinicnum.annotations.ratings.rating_statistics import (
    AxisFigures,
    RatedAnswer,
    axis_figures,
    rating_difference,
)
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.types import Annotation
from clinicnum.stats.interval_estimate import Figure

LOW = "Middle or lower"
"""Heading of the share of ratings at the middle of the scale or below."""


def point_of(annotation: Annotation, axis: CustomField) -> str | None:
    """The point that an annotation gives on an axis; None if it gives none."""
    given = annotation.custom.get(axis.name)
    return given if isinstance(given, str) else None


def scale_of(axis: CustomField) -> tuple[float, float]:
    """The numbers for which the lowest and the highest point of an axis stand."""
    numbers = numbers_of(axis).values()
    return min(numbers), max(numbers)


@dataclass(frozen=True)
class Ratings:
    """The ratings that count: each annotator's last of each answer in the main round."""

    view: StudyView

    @cached_property
    def model_of(self) -> Mapping[str, str]:
        """Generation -> name of its run in the report."""
        return {one.generation.generation_id: run.name for run in self.view.runs for one in run.answers}

    @cached_property
    def models(self) -> tuple[str, ...]:
        """The models with a rated answer, by name."""
        return tuple(sorted({self.model_of[key] for key in self.view.chosen.by_generation}))

    def answers(self, axis: CustomField) -> Mapping[str, list[RatedAnswer]]:
        """Model -> its answers as rated on an axis."""
        numbers, weights = numbers_of(axis), self.view.sampling_weights or {}
        found: dict[str, list[RatedAnswer]] = defaultdict(list)
        for key, group in self.view.chosen.by_generation.items():
            given = tuple(numbers[point] for one in group if (point := point_of(one, axis)) is not None)
            if given:
                instance = self.view.instance(key)
                found[self.model_of[key]].append(
                    RatedAnswer(instance.instance_id, instance.subject_id, given, weights.get(key, 1.0))
                )
        return found

    @cached_property
    def figures(self) -> tuple[tuple[CustomField, str, AxisFigures], ...]:
        """Axis, model and its figures there, in the order of the axes and of the models' names."""
        return tuple(
            (axis, model, axis_figures(answers.get(model, []), scale_of(axis)))
            for axis in self.view.tables.fields
            for answers in (self.answers(axis),)
            for model in self.models
        )

    @cached_property
    def differences(self) -> tuple[tuple[CustomField, str, str, Figure], ...]:
        """Axis, two models, and the mean rating of the first minus that of the other on shared items."""
        return tuple(
            (
                axis,
                one,
                other,
                rating_difference(answers.get(one, []), answers.get(other, []), scale_of(axis)),
            )
            for axis in self.view.tables.fields
            for answers in (self.answers(axis),)
            for one, other in combinations(self.models, 2)
        )

    def points(self, axis: CustomField) -> Mapping[str, list[str]]:
        """Model -> the points given to its answers on an axis, one for each rating."""
        found: dict[str, list[str]] = defaultdict(list)
        for one in self.view.chosen.annotations:
            point = point_of(one, axis)
            if point is not None:
                found[self.model_of[one.generation_id]].append(point)
        return found

    @cached_property
    def rated_twice(self) -> Mapping[tuple[str, str], tuple[Annotation, Annotation]]:
        """Generation and annotator -> the rating in the main round, and that of the blind repeat."""
        last = counted_revisions(self.view.tables.annotations).last
        return {
            (generation, annotator): (last[generation, annotator, "main"], again)
            for (generation, annotator, round_), again in sorted(last.items())
            if round_ == "repeat" and (generation, annotator, "main") in last
        }

    def repeated(self, axis: CustomField) -> list[tuple[str, float, float]]:
        """Subject, first and second rating of each answer that an annotator unknowingly rated twice."""
        numbers = numbers_of(axis)
        found: list[tuple[str, float, float]] = []
        for (generation, _), both in self.rated_twice.items():
            first, second = (numbers.get(point_of(one, axis) or "") for one in both)
            if first is not None and second is not None:
                found.append((self.view.instance(generation).subject_id, first, second))
        return found
