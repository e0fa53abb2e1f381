"""Request metrics for Prometheus, and one JSON log line per request.

Neither contains request or response bodies, nor paths below a page, so no patient text and no token.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from fastapi import Request
from fastapi.responses import JSONResponse
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    PlatformCollector,
    ProcessCollector,
)
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clinicnum.errors import Unavailable
from clinicnum.ui.app.page_action_routes import PREFIX
from clinicnum.ui.app.unavailable_response import gradio_error, unavailable_response
from clinicnum.ui.components.error_log import Line, internal_error_message, log_error, to_stderr

BUCKETS_S = (0.005, 0.01, 0.02, 0.03, 0.06, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
"""Histogram buckets; they include the annotate page's latency target of 60 ms."""


@dataclass
class Metrics:
    """The metrics of this process, in their own Prometheus registry."""

    registry: CollectorRegistry = field(default_factory=CollectorRegistry)

    def __post_init__(self) -> None:
        """Register the metrics, together with the standard process and platform collectors."""
        names = ("page", "method", "status")
        self.requests = Counter("clinicnum_requests", "Requests answered.", names, registry=self.registry)
        self.seconds = Histogram(
            "clinicnum_request_seconds",
            "From a request to the end of its answer.",
            ("page",),
            buckets=BUCKETS_S,
            registry=self.registry,
        )
        self.anchored_at = Gauge(
            "clinicnum_audit_anchored_timestamp_seconds",
            "When the last anchor of the audit log was written.",
            registry=self.registry,
        )
        self.anchor_failures = Counter(
            "clinicnum_audit_anchor_failures",
            "Anchors of the audit log that could not be written.",
            registry=self.registry,
        )
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)


class ObservabilityMiddleware:
    """ASGI middleware that times and logs each request, and turns unhandled errors into responses."""

    def __init__(
        self, app: ASGIApp, *, paths: Sequence[str], metrics: Metrics, log: Callable[[Line], None] | None
    ) -> None:
        self.app = app
        self.paths = paths
        self.metrics = metrics
        self.log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status = time.perf_counter(), 0

        async def send_and_note_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, send_and_note_status)
        except Unavailable as error:
            to_stderr({"unavailable": error.kind, "where": error.where})
            if status == 0:
                await unavailable_response(error, Request(scope))(scope, receive, send_and_note_status)
        except Exception as error:  # noqa: BLE001  last resort: any unhandled error gets a response
            mark = log_error(error)
            if status == 0:
                refusal = JSONResponse(gradio_error(internal_error_message(mark)), status_code=500)
                await refusal(scope, receive, send_and_note_status)
        self._record(scope, status, time.perf_counter() - began)

    def _record(self, scope: Scope, status: int, seconds: float) -> None:
        page = page_of(scope["path"], self.paths)
        self.metrics.requests.labels(page, _method(scope), str(status)).inc()
        self.metrics.seconds.labels(page).observe(seconds)
        if self.log is not None:
            user = scope.get("clinicnum_user")
            self.log(
                {
                    "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
                    "page": page,
                    "method": _method(scope),
                    "status": status,
                    "ms": round(1000 * seconds, 1),
                    "user": None if user is None else user.user_id,
                }
            )


def page_of(path: str, paths: Sequence[str]) -> str:
    """The mounted page that a path belongs to, else `other`, so that clients cannot create metric labels."""
    inside = path.removeprefix(PREFIX)
    return next((page for page in paths if inside == page or inside.startswith(page + "/")), "other")


def _method(scope: Scope) -> str:
    method = str(scope["method"])
    return method if method in ("GET", "HEAD", "POST") else "other"
