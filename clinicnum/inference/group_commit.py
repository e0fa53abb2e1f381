"""Group commit: a thread writes and syncs generations together while the client produces the next.

A sync takes milliseconds, a server behind one address gives hundreds of generations a second: one sync for
all that came during the last one keeps up with any rate. What is acknowledged is durable.
"""

import threading
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self

from clinicnum.types import Generation


class Committer:
    """A context manager: leaving it makes all generations written to it durable, also if an error ends the
    block.
    """

    def __init__(
        self, commit: Callable[[Sequence[Generation]], None], acknowledge: Callable[[Generation], None]
    ) -> None:
        """`commit` makes several generations durable; then `acknowledge` is called with each of them. Both
        run in the committer's own thread.
        """
        self._commit = commit
        self._acknowledge = acknowledge
        self._waiting: list[Generation] = []
        self._closed = False
        self._error: Exception | None = None
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="committer", daemon=True)

    def write(self, generation: Generation) -> None:
        """Queue one generation. Raises the error, if any, with which an earlier one failed."""
        with self._changed:
            if self._error is not None:
                raise self._error
            self._waiting.append(generation)
            self._changed.notify()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join()
        if self._error is not None and error is None:
            raise self._error

    def _run(self) -> None:
        try:
            while batch := self._next():
                self._commit(batch)
                for generation in batch:
                    self._acknowledge(generation)
        except Exception as error:  # noqa: BLE001 - it is raised again in the thread that writes
            with self._changed:
                self._error = error

    def _next(self) -> list[Generation]:
        """All waiting generations, as soon as there are any; empty at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed)
            batch, self._waiting = self._waiting, []
            return batch
