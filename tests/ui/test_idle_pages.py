"""A page that nobody uses costs the server nothing."""

import asyncio

import gradio as gr

from clinicnum.ui.app.authorization import Page
from clinicnum.ui.app.server import build_page
from tests.apart import run_apart


def quiet_page() -> gr.Blocks:
    with gr.Blocks(analytics_enabled=False) as page:
        gr.Markdown("Nothing happens here.")
    return page


async def at_work() -> set[str]:
    """What runs in the background of the event loop."""
    await asyncio.sleep(0)
    return {task.get_coro().__qualname__ for task in asyncio.all_tasks()}


async def backgrounds() -> tuple[set[str], set[str]]:
    """What runs beside a page as it is served here, and as Gradio by itself would serve it."""
    page = Page("/quiet", "Quiet", None, "evaluate", quiet_page)
    gradio_app, _ = build_page(page)
    async with gradio_app.router.lifespan_context(gradio_app):
        ours = await at_work()
        gradio_app.get_blocks().run_startup_events()
        return ours, await at_work()


def test_no_queue_looks_for_events_that_are_never_queued() -> None:
    ours, gradios = run_apart(backgrounds())
    assert "Queue.start_processing" in gradios
    assert not any(one.startswith("Queue.") for one in ours)
