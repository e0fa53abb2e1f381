"""The templates that instances are recomputed from, ready for use."""

from collections.abc import Sequence
from random import Random

from clinicnum.questions import Asked
from clinicnum.templates.template import DECIMAL_WORDS, Template
from clinicnum.types import Instance
from clinicnum.variants.steps import further

STEP_DRAWS = 64
"""Seeds tried to see every further step of `chain.extra_step`; it draws among three at most."""
EXTRA_STEP = "chain.extra_step"


class OwnBank:
    """Templates by id and version, each with the decimals asked and the further step."""

    def __init__(self, templates: Sequence[Template]) -> None:
        self._templates = {(template.id, template.version): template for template in templates}
        self._asked: dict[tuple[str, int, int | None], Asked] = {}
        self._steps: dict[tuple[str, int, int | None], dict[str, Asked]] = {}

    def has(self, instance: Instance) -> bool:
        """Whether that version of the instance's template is in the bank."""
        return (instance.template_id, instance.template_version) in self._templates

    def asked(self, instance: Instance) -> Asked | None:
        """What an instance of a template in the bank asks, with the decimals and the further step it names.

        Decimals that no question can ask for are the template's. None if it names no step that is known.
        """
        template = self._templates[instance.template_id, instance.template_version]
        decimals = template.decimals
        if decimals is not None and instance.decimals in range(len(DECIMAL_WORDS)):
            decimals = instance.decimals
        key = (template.id, template.version, decimals)
        asked = self._asked.get(key)
        if asked is None:
            asked = self._asked[key] = Asked.of(template, decimals)
        if EXTRA_STEP not in kinds(instance):
            return asked
        steps = self._longer(key, asked).items()
        return next((longer for step, longer in steps if step in instance.question), None)

    def _longer(self, key: tuple[str, int, int | None], asked: Asked) -> dict[str, Asked]:
        """The template with each step that it may be asked with, by the step in words."""
        if key not in self._steps:
            drawn = (further(asked, Random(f"{seed}")) for seed in range(STEP_DRAWS))  # noqa: S311  all are taken
            self._steps[key] = {step: longer for longer, step in drawn}
        return self._steps[key]


def kinds(instance: Instance) -> tuple[str, ...]:
    """The kinds of variant that an instance combines; none for a base instance."""
    return () if instance.variant is None else tuple(instance.variant.split("+"))
