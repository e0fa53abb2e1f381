"""A study's tables with their joins made once, for the sections of the report."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from annotations.agreement.layers import StudyAgreement, study_agreement
from annotations.agreement.population import Chosen, choose_annotations
from annotations.consensus import Settlement, settle
from annotations.report.tables import StudyTables
from annotations.types import Annotation
from clinicnum.errors import InputError
from clinicnum.types import Generation, Instance, Score

T = TypeVar("T")
CREDENTIALED_SOURCES = ("mimic-iv-ed",)


def annotator_kind(annotations: Iterable[Annotation]) -> str:
    """`human`, `simulated`, `human+simulated`, or `none` before the first annotation."""
    return "+".join(sorted({one.annotator_kind for one in annotations})) or "none"


@dataclass(frozen=True)
class StudyView:
    """StudyTables, indexed by id. Look-ups raise InputError for an id that the tables lack."""

    tables: StudyTables

    @cached_property
    def _instances(self) -> Mapping[str, Instance]:
        return {one.instance_id: one for one in self.tables.instances}

    @cached_property
    def _generations(self) -> Mapping[str, Generation]:
        return {one.generation_id: one for one in self.tables.generations}

    @cached_property
    def _scores(self) -> Mapping[str, Score]:
        return {one.generation_id: one for one in self.tables.scores}

    @cached_property
    def _weights(self) -> Mapping[str, float]:
        return {one.generation_id: 1.0 / one.probability for one in self.tables.inclusions}

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Code -> its name."""
        return {one.code: one.name for one in self.tables.taxonomy_codes}

    @cached_property
    def chosen(self) -> Chosen:
        """The annotations that count."""
        return choose_annotations(self.tables.annotations)

    @cached_property
    def settlements(self) -> tuple[Settlement, ...]:
        """The majority consensus on each annotated generation."""
        return settle(self.chosen.by_generation)

    @cached_property
    def agreement(self) -> StudyAgreement:
        """The layers of agreement, as the agreement page and command show them."""
        return study_agreement(
            self.tables.annotations,
            taxonomy_codes=[one.code for one in self.tables.taxonomy_codes],
            subjects={one: self.instance(one).subject_id for one in self.chosen.by_generation},
            details=True,
            templates={one: self.instance(one).template_id for one in self.chosen.by_generation},
        )

    @property
    def annotator_kind(self) -> str:
        return annotator_kind(self.tables.annotations)

    @property
    def credentialed(self) -> bool:
        """Whether the benchmark says so, or any record comes from a source that may not be shared."""
        return self.tables.benchmark.get("credentialed") is True or any(
            record.source in CREDENTIALED_SOURCES
            for instance in self.tables.instances
            for record in instance.records
        )

    def generation(self, generation_id: str) -> Generation:
        """The generation of that id."""
        return _found(self._generations, generation_id, "generation", "the generations")

    def instance(self, generation_id: str) -> Instance:
        """The instance that a generation answers."""
        instance_id = self.generation(generation_id).instance_id
        return _found(self._instances, instance_id, "instance", f"generation {generation_id}'s benchmark")

    def score(self, generation_id: str) -> Score:
        """The score of a generation."""
        return _found(self._scores, generation_id, "score of generation", "the scores")

    def weight(self, generation_id: str) -> float:
        """1 / inclusion probability of a generation that was drawn for annotation."""
        return _found(self._weights, generation_id, "inclusion of generation", "the sample")


def _found(index: Mapping[str, T], key: str, what: str, where: str) -> T:
    try:
        return index[key]
    except KeyError:
        raise InputError(f"{what} {key!r} is missing from {where}; load the study's files anew") from None
