"""Draw the instances that experts solve in a review, from the trial's sample patients, separately for each
expert.
"""

import random
from collections.abc import Sequence

from clinicnum.annotations.curation.review_sheet import CASES, case_seed
from clinicnum.authoring.template_trial import preview
from clinicnum.errors import InputError
from clinicnum.templates.template import Template
from clinicnum.translatable_text import Translatable
from clinicnum.types import Instance

POOL = 60
"""Number of questions to draw from; at most half of them do not discriminate."""


def draw_cases(
    template: Template, *, round_id: str, experts: Sequence[str]
) -> tuple[tuple[Instance, ...], ...]:
    """For each expert, one instance in each representation, each of a different question, without V7 flags.

    V7 flags mark instances that do not discriminate. The draw is seeded by round and expert. Raises
    InputError if the sample patients give too few questions.
    """
    drawn = preview(template, count=POOL)
    groups = [one.instances for one in drawn.examples if not one.instances[0].flags]
    if len(groups) < CASES:
        raise InputError(
            Translatable(
                "{template} gives {n} discriminating questions on the sample patients; each expert works "
                "{cases}; widen its slots or its conditions",
                template=template.id,
                n=len(groups),
                cases=CASES,
            )
        )
    return tuple(_pick(groups, case_seed(round_id, expert)) for expert in experts)


def _pick(groups: Sequence[Sequence[Instance]], seed: int) -> tuple[Instance, ...]:
    """Take the first representation of one question, the second of another, the third of a third."""
    chosen = random.Random(seed).sample(list(groups), CASES)  # noqa: S311  reproducible, no secret
    return tuple(group[place] for place, group in enumerate(chosen))
