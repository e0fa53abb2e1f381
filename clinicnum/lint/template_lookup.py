"""The templates with which instances are recomputed, looked up by id and version."""

from collections.abc import Sequence

from clinicnum.questions.ask_question import PreparedTemplate
from clinicnum.templates.checks.wording_proofs import contradictions
from clinicnum.templates.fault_messages import Fault
from clinicnum.templates.template import DECIMAL_WORDS, Template
from clinicnum.types import Instance
from clinicnum.variants import named_step

EXTRA_STEP = "chain.extra_step"


class OwnBank:
    """Templates by id and version, each with the requested decimals."""

    def __init__(self, templates: Sequence[Template]) -> None:
        self._templates = {(template.id, template.version): template for template in templates}
        self._asked: dict[tuple[str, int, int | None], PreparedTemplate] = {}
        self._contradictions: dict[tuple[str, int], tuple[Fault, ...]] = {}

    def has(self, instance: Instance) -> bool:
        """Whether that version of the instance's template is in the bank."""
        return (instance.template_id, instance.template_version) in self._templates

    def contradictions(self, instance: Instance) -> tuple[Fault, ...]:
        """Wordings of an instance's template that ask something other than its rule computes; cached."""
        key = (instance.template_id, instance.template_version)
        if key not in self._contradictions:
            self._contradictions[key] = tuple(contradictions(self._templates[key]))
        return self._contradictions[key]

    def asked(self, instance: Instance) -> PreparedTemplate | None:
        """The instance's template, which must be in the bank, with the decimals and further step that the
        instance names.

        Decimals that no question can ask for are the template's. None if the step named is unknown.
        """
        template = self._templates[instance.template_id, instance.template_version]
        decimals = template.decimals
        if decimals is not None and instance.decimals in range(len(DECIMAL_WORDS)):
            decimals = instance.decimals
        key = (template.id, template.version, decimals)
        asked = self._asked.get(key)
        if asked is None:
            asked = self._asked[key] = PreparedTemplate.of(template, decimals)
        return named_step(asked, instance.question) if EXTRA_STEP in kinds(instance) else asked


def kinds(instance: Instance) -> tuple[str, ...]:
    """The kinds of variant that an instance combines; empty for a base instance."""
    return () if instance.variant is None else tuple(instance.variant.split("+"))
