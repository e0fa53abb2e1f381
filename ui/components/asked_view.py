"""What a model was asked, as data for page scripts."""

from typing import Any

from clinicnum.annotations.asked import Asked
from clinicnum.ui.components.language import _


def asked_view(asked: Asked) -> dict[str, Any]:
    """The messages as they were sent, or in the page's language why they are not known."""
    return {**asked.model_dump(mode="json"), "unknown": asked.unknown and _(asked.unknown)}
