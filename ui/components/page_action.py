"""A server action that a page's script can call, with the model of its message."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_type_hints

from anyio import CapacityLimiter
from pydantic import BaseModel

from clinicnum.errors import ClinicnumError

Reply = dict[str, Any]


@dataclass(frozen=True)
class Action:
    """One route `POST /api/PAGE/NAME`; see `clinicnum.ui.app.page_action_routes`."""

    handler: Callable[[Any, str], Reply]
    """(message, user_id) -> reply. The type of its parameter `message` is the model of the request body."""
    refuse: Callable[[ClinicnumError, Any, str], Reply]
    """(error, message, user_id) -> the reply if the handler raises a ClinicnumError."""
    threads: CapacityLimiter
    """Limits how many handlers run in threads at once; slow actions have a separate limiter."""

    @property
    def name(self) -> str:
        """The last segment of the route's path: the handler's name."""
        return self.handler.__name__

    @property
    def message(self) -> type[BaseModel]:
        """The pydantic model of the request body."""
        model: type[BaseModel] = get_type_hints(self.handler)["message"]
        return model
