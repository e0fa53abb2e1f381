"""Gradio pages, mounted at the cost of one application each."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from gradio.routes import App


@contextmanager
def without_spare_apps() -> Iterator[None]:
    """Blocks made inside have no application of their own until they are mounted.

    Gradio makes one at the beginning and one at the end of each `with gr.Blocks()`, for a launch that a
    mounted page never has: two thirds of what a start of the server takes.
    """
    kept: Any = App.__dict__["create_app"]
    App.create_app = staticmethod(lambda *_, **__: None)
    try:
        yield
    finally:
        App.create_app = kept
