"""Coroutines of a test, run where no browser test left an event loop."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run_apart(made: Coroutine[Any, Any, T]) -> T:
    """What `made` returns. In a thread of its own: a browser test leaves its loop running in the main one."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(asyncio.run, made).result()
