"""Whoever runs the server learns how it does, and nothing of what people read and write."""

import json
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from prometheus_client import generate_latest

from clinicnum.ui.app.observability import Metrics, ObservabilityMiddleware, page_of
from clinicnum.ui.components.error_log import Line
from tests.apart import run_apart

SECRET = "the patient's name"


def ask(app: FastAPI, path: str, method: str = "GET") -> httpx.Response:
    """One request, as a server hands it to the application."""

    async def asked() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here") as client:
            return await client.request(method, path)

    return run_apart(asked())


def watched(metrics: Metrics, log: list[Line]) -> FastAPI:
    """A small application with one page that works and one that fails."""
    app = FastAPI()

    @app.get("/annotate/fine")
    def fine() -> dict[str, str]:
        return {"text": SECRET}

    @app.get("/annotate/broken")
    def broken() -> None:
        raise ValueError(SECRET)

    app.add_middleware(ObservabilityMiddleware, paths=["/annotate"], metrics=metrics, log=log.append)
    return app


def test_an_error_gets_a_number_and_tells_where_it_arose_but_not_what_it_said(
    capsys: pytest.CaptureFixture[str],
) -> None:
    log: list[Line] = []
    answer = ask(watched(Metrics(), log), "/annotate/broken")
    assert answer.status_code == 500
    told: dict[str, Any] = json.loads(capsys.readouterr().err)
    assert (told["type"], told["where"][-1].split()[-1]) == ("ValueError", "broken")
    assert told["error"] in answer.json()["detail"]
    assert SECRET not in json.dumps([told, log, answer.json()])
    assert [(one["page"], one["status"]) for one in log] == [("/annotate", 500)]


def test_requests_are_counted_by_page_and_paths_that_people_make_up_are_one() -> None:
    metrics, log = Metrics(), list[Line]()
    app = watched(metrics, log)
    ask(app, "/annotate/fine?name=" + SECRET)
    for made_up in ("/a", "/b", "/invitation/secret-token"):
        ask(app, made_up)
    ask(app, "/a", "BREW")
    text = generate_latest(metrics.registry).decode()
    assert 'clinicnum_requests_total{method="GET",page="/annotate",status="200"} 1.0' in text
    assert 'clinicnum_requests_total{method="GET",page="other",status="404"} 3.0' in text
    assert 'method="other"' in text
    assert "process_resident_memory_bytes" in text
    for hidden in (SECRET, "secret-token", "fine", "BREW"):
        assert hidden not in text + json.dumps(log)


def test_a_page_is_told_by_its_beginning_not_by_a_name_that_begins_alike() -> None:
    assert page_of("/annotate", ["/annotate"]) == "/annotate"
    assert page_of("/annotate/x", ["/annotate"]) == "/annotate"
    assert page_of("/annotated", ["/annotate"]) == "other"
