"""An action called as its route calls it: the message as a body, the user as authorization found it."""

import json
from typing import Any

from clinicnum.ui.app.page_action_routes import read_message, run_action


def call_action(handlers: Any, name: str, user_id: str, message: Any = None) -> Any:
    """The reply. Raises InputError where the route answers 422."""
    (action,) = (one for one in handlers.actions() if one.name == name)
    body = json.dumps({} if message is None else message).encode()
    reply = run_action(action, read_message(action.message, body), user_id)
    assert json.loads(json.dumps(reply)) == reply
    return reply
