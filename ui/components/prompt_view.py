"""The prompt given to a model, for page scripts."""

from typing import Any

from clinicnum.annotations.reconstructed_prompt import Asked
from clinicnum.ui.components.language import _


def asked_view(asked: Asked) -> dict[str, Any]:
    """The prompt messages as sent, or, in the page's language, why they are unknown."""
    return {**asked.model_dump(mode="json"), "unknown": asked.unknown and _(asked.unknown)}
