"""The routes that page scripts call: `POST /api/PAGE/ACTION`, one JSON object in, one out.

The user comes from authorization, never from the body. A body that does not match the action's message model
gets status 422 with a reason. An error that the action itself raises is returned as a normal reply, for
instance with the current state of the item after a conflict.
"""

from collections.abc import Awaitable, Callable

from anyio.to_thread import run_sync
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ValidationError

from clinicnum.annotations.types import User
from clinicnum.errors import ClinicnumError, InputError, Unavailable
from clinicnum.io.jsonl import first_problem
from clinicnum.io.strict_json import plain_json
from clinicnum.ui.components.page_action import Action, Reply

PREFIX = "/api"
LONGEST_REASON = 200


def add_page_action_routes(app: FastAPI, page: str, actions: tuple[Action, ...]) -> None:
    """Add one route per action of the page at the path `page`."""
    for action in actions:
        app.add_api_route(
            f"{PREFIX}{page}/{action.name}", _endpoint(action), methods=["POST"], name=action.name
        )


def _endpoint(action: Action) -> Callable[[Request], Awaitable[JSONResponse]]:
    model = action.message

    async def endpoint(request: Request) -> JSONResponse:
        user: User = request.scope["clinicnum_user"]
        try:
            message = read_message(model, await request.body())
        except InputError as error:
            return JSONResponse({"detail": str(error)}, status_code=422)
        return JSONResponse(await run_sync(run_action, action, message, user.user_id, limiter=action.threads))

    return endpoint


def read_message(model: type[BaseModel], body: bytes) -> BaseModel:
    """Parse and validate a body. Raises InputError that describes the first problem."""
    try:
        return model.model_validate(plain_json(body))
    except ValidationError as error:
        problem = first_problem(error)
    except ValueError as error:
        problem = f"the body cannot be read as JSON: {str(error)[:LONGEST_REASON]}"
    raise InputError(f"Nothing was saved: {problem}. Correct it, or reload the page, and try again.")


def run_action(action: Action, message: BaseModel, user_id: str) -> Reply:
    """Run the action and return its reply; a ClinicnumError becomes a reply by `action.refuse`.

    Raises Unavailable if the database cannot be reached; the same request may then be sent again.
    """
    try:
        return action.handler(message, user_id)
    except Unavailable:
        raise
    except ClinicnumError as error:
        return action.refuse(error, message, user_id)
