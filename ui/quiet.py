"""Gradio prints the traceback of an error in a handler, message and all, which may quote a patient's record.

Where it would, the error's type and place are logged instead, as for every other error (`watch.told`).
"""

import sys
import traceback
from types import ModuleType

from gradio import queueing, route_utils, routes, utils

from ui.watch import told

MODULES: tuple[ModuleType, ...] = (routes, queueing, route_utils, utils)
"""Where Gradio handles what a handler raised."""


class _Quiet(ModuleType):
    """Python's `traceback`, except that nothing is printed but type and place."""

    def __getattr__(self, name: str) -> object:
        return getattr(traceback, name)

    @staticmethod
    def print_exc(*_: object, **__: object) -> None:
        """Log the error that is being handled."""
        error = sys.exception()
        if error is not None:
            told(error)


_QUIET = _Quiet("traceback")


def quiet_gradio() -> None:
    """Let Gradio print no message of an error. Once is enough; again does no harm."""
    for module in MODULES:
        module.traceback = _QUIET  # type: ignore[attr-defined]
