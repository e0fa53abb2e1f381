"""A study's labels without texts, records and scores, for figures that must be computed quickly."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from clinicnum.annotations.agreement.study_agreement import StudyAgreement, study_agreement
from clinicnum.annotations.consensus import Protocol
from clinicnum.annotations.reliability.control_items import AgainstReference
from clinicnum.annotations.report.sections.control_items import control_results
from clinicnum.annotations.report.study_view import StudyView


def settled_by(view: "LabelsView", protocol: Protocol | None) -> "LabelsView":
    """The view with another consensus protocol; None for the default one."""
    return replace(view, tables=view.tables.model_copy(update={"consensus": protocol}))


@dataclass(frozen=True)
class LabelsView(StudyView):
    """A study view with annotations and decisions only; looking up an instance raises InputError."""

    subject_of: Mapping[str, str]
    """generation_id -> subject_id, of all items."""
    question_of: Mapping[str, str]
    """generation_id -> instance_id, of all items."""
    template_of: Mapping[str, str]
    """generation_id -> template_id, of all items."""
    weight_of: Mapping[str, float]
    """generation_id -> 1 / inclusion probability, of all items."""

    def question(self, generation_id: str) -> str:
        """The id of the instance that a generation answers. Raises KeyError for an unknown generation."""
        return self.question_of[generation_id]

    @cached_property
    def subjects(self) -> Mapping[str, str]:
        """Subject of every generation with an annotation; generations sorted."""
        keys = {one.generation_id for one in self.tables.annotations}
        return {key: self.subject_of[key] for key in sorted(keys)}

    @cached_property
    def plain(self) -> StudyAgreement:
        """The agreement layers with coefficients only."""
        return self._agreement(details=False)

    @cached_property
    def agreement(self) -> StudyAgreement:
        """The agreement layers, including pairs of annotators, verbal strength and alternative intervals."""
        return self._agreement(details=True)

    @cached_property
    def controls(self) -> tuple[AgainstReference, ...]:
        """Each annotator's results on the control items."""
        return control_results(self)

    def _agreement(self, *, details: bool) -> StudyAgreement:
        return study_agreement(
            self.chosen,
            taxonomy_codes=[one.code for one in self.tables.taxonomy_codes],
            subjects=self.subject_of,
            details=details,
            templates=self.template_of,
            weights=self.weight_of,
            fields=self.tables.fields,
        )
