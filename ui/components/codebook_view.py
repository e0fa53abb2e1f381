"""The codebook as data for page scripts."""

from collections.abc import Sequence
from typing import Any

from clinicnum.annotations.codebook import codebook, codes_by_step, heading_of
from clinicnum.annotations.custom_fields import CustomField
from clinicnum.annotations.taxonomy import Taxonomy
from clinicnum.ui.components.judgement_form_data import custom_definitions
from clinicnum.ui.components.language import _


def codebook_view(taxonomy: Taxonomy, fields: Sequence[CustomField] = ()) -> dict[str, Any]:
    """The `codebook` entries, and the decision `order` with the codes of each step.

    `fields` are what the study adds to the judgement.
    """
    made_at, more = codes_by_step(taxonomy), custom_definitions(fields)
    return {
        "codebook": [
            {
                **entry.model_dump(mode="json", exclude={"field"}),
                **{name: _(getattr(entry, name)) for name in ("plain", "definition", "include", "exclude")},
                "name": _(entry.name),
                "examples": [_(one) for one in entry.examples],
                "steps": [_(one) for one in entry.steps],
                "heading": _(heading_of(entry, more)),
            }
            for entry in codebook(taxonomy, more)
        ],
        "order": [
            {"name": _(step.name), "hint": _(step.hint), "codes": list(made_at[step.name])}
            for step in taxonomy.order
        ],
    }
