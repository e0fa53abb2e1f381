"""An unforeseen error in a handler is told by type and place; what it says may be a patient's, and is not."""

import json
from pathlib import Path

import gradio as gr
import httpx
import pytest
from fastapi import FastAPI
from gradio import queueing

from tests.apart import run_apart
from ui.quiet import MODULES, quiet_gradio

PATIENT = "heart rate 212 of Jane Doe"


def failing() -> FastAPI:
    """A page whose handler fails."""

    def fail(_: str) -> str:
        raise ValueError(PATIENT)

    with gr.Blocks(analytics_enabled=False) as blocks:
        box = gr.Textbox()
        gr.Button().click(fail, box, box, queue=False)
    return gr.mount_gradio_app(FastAPI(), blocks, path="/page", ssr_mode=False, show_error=False)


async def call(app: FastAPI) -> str:
    """The handler, as a browser calls it; what came back."""
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://h") as http:
        sent = {"data": ["x"], "fn_index": 0, "session_hash": "s"}
        return (await http.post("/page/gradio_api/run/predict", json=sent)).text


@pytest.mark.filterwarnings("ignore")
def test_what_a_handler_raised_is_logged_without_its_message(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in MODULES:
        monkeypatch.setattr(module, "traceback", module.traceback)  # put back at the end
    quiet_gradio()
    answer = run_apart(call(failing()))
    try:
        raise ValueError(PATIENT)
    except ValueError:
        queueing.traceback.print_exc()  # as the queue does with what a handler in it raises
    said = capfd.readouterr()
    assert PATIENT not in said.err + said.out + answer
    lines = [json.loads(line) for line in said.err.splitlines() if line.startswith('{"error"')]
    assert [line["type"] for line in lines] == ["ValueError", "ValueError"]
    assert all(any(f"{Path(__file__).name}:" in place for place in line["where"]) for line in lines)
