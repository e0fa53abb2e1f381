"""The Gradio app of each page, built when the page is first asked for: all of them take seconds to build."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager

import anyio
from fastapi import FastAPI
from starlette.types import ASGIApp, Receive, Scope, Send

Built = tuple[FastAPI, ASGIApp]
"""The application into which Gradio mounted a page, for its lifespan; and what answers requests."""


class PageApps:
    """The pages' applications, which end with the server's."""

    def __init__(self) -> None:
        self.lifespans = AsyncExitStack()

    @asynccontextmanager
    async def lifespan(self, _: FastAPI) -> AsyncIterator[None]:
        """The server's: at its end, those of the pages that were built end, too."""
        async with self.lifespans:
            yield

    def app(self, build: Callable[[], Built]) -> ASGIApp:
        """The ASGI application of a page; `build` is called for its first request."""
        building, built = anyio.Lock(), list[ASGIApp]()

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            if not built:
                async with building:
                    if not built:
                        host, page = build()
                        await self.lifespans.enter_async_context(host.router.lifespan_context(host))
                        built.append(page)
            await built[0](scope, receive, send)

        return answer
