"""What Gradio keeps of each open page: the components that events changed, without a description of each.

Gradio describes every component when a page first calls an event, and again whatever an event changes; for
many components it derives a JSON schema each time. It reads these descriptions for deep links only, which no
page here offers.
"""

from typing import Any

import gradio as gr
from gradio.blocks import BlocksConfig


class _UndescribedConfig(BlocksConfig):  # type: ignore[misc]
    """A page's components as one session has them."""

    @staticmethod
    def config_for_block(*_: Any, **__: Any) -> dict[str, Any]:
        """No description."""
        return {}


class _PageConfig(BlocksConfig):  # type: ignore[misc]
    """A page's components, which Gradio copies for each session."""

    def __copy__(self) -> BlocksConfig:
        made = _UndescribedConfig(self.root_block)
        made.__dict__.update(super().__copy__().__dict__)
        return made


def leave_sessions_undescribed(page: gr.Blocks) -> None:
    """Let Gradio keep no descriptions in the sessions of a page that has been built."""
    config = _PageConfig(page)
    config.__dict__.update(page.default_config.__dict__)
    page.default_config = config
