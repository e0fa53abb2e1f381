"""Reading and writing database sessions on one engine, as used by pages and commands."""

from contextlib import AbstractContextManager
from dataclasses import dataclass

from sqlalchemy import Engine
from sqlmodel import Session

from clinicnum.db.engine import reading, writing


@dataclass(frozen=True)
class Store:
    """One database, with sessions for reading and for writing."""

    engine: Engine

    def reading(self) -> AbstractContextManager[Session]:
        """A session for reading. Raises as `engine.reading` does."""
        return reading(self.engine)

    def writing(self) -> AbstractContextManager[Session]:
        """A session whose block is one transaction: committed at its end, rolled back on an error.

        Raises as `engine.writing` does.
        """
        return writing(self.engine)
