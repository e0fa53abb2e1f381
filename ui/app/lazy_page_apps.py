"""Build each page's Gradio app on its first request in a language, as building all of them takes seconds."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager

import anyio
from fastapi import FastAPI
from starlette.types import ASGIApp, Receive, Scope, Send

from clinicnum.ui.components.language import current_language

BuiltPage = tuple[FastAPI, ASGIApp]
"""The page's Gradio app, whose lifespan must run, and the ASGI app that serves it."""


class LazyPageApps:
    """Builds page apps on demand, and shuts them down together with the server."""

    def __init__(self) -> None:
        self.lifespans = AsyncExitStack()

    @asynccontextmanager
    async def lifespan(self, _: FastAPI) -> AsyncIterator[None]:
        """The server's lifespan; on shutdown it also ends the lifespans of the pages built so far."""
        async with self.lifespans:
            yield

    def app(self, build: Callable[[], BuiltPage]) -> ASGIApp:
        """The ASGI app of a page; `build` is called once a language, on the first request in it."""
        building, built = anyio.Lock(), dict[str, ASGIApp]()

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            language = current_language()
            if language not in built:
                async with building:
                    if language not in built:
                        gradio_app, page = build()
                        lifespan = gradio_app.router.lifespan_context(gradio_app)
                        await self.lifespans.enter_async_context(lifespan)
                        built[language] = page
            await built[language](scope, receive, send)

        return answer
