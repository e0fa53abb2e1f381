"""One action that the script of a page asks of the server, with the model of the message that it takes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_type_hints

from anyio import CapacityLimiter
from pydantic import BaseModel

from clinicnum.errors import ClinicnumError

Reply = dict[str, Any]


@dataclass(frozen=True)
class Action:
    """One route `POST /api/PAGE/NAME`; see `clinicnum.ui.app.page_api`."""

    handler: Callable[[Any, str], Reply]
    """(message, user_id) -> what the script gets. Its parameter `message` is annotated with a model."""
    refuse: Callable[[ClinicnumError, Any, str], Reply]
    """(error, message, user_id) -> what the script gets where the handler raises the error."""
    threads: CapacityLimiter
    """Handlers wait for the database, each in a thread; an action that is slow has a limit of its own."""

    @property
    def name(self) -> str:
        """The last part of the route's path."""
        return self.handler.__name__

    @property
    def message(self) -> type[BaseModel]:
        """The model of the body."""
        model: type[BaseModel] = get_type_hints(self.handler)["message"]
        return model
