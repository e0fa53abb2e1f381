"""A migrated database and a study on it."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine

from db.engine import make_engine
from db.migrate import migrate
from tests.db.examples import add_users, open_study


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    """A migrated, empty database."""
    made = make_engine(database_url)
    migrate(made)
    yield made
    made.dispose()


@pytest.fixture
def annotators(engine: Engine) -> dict[str, str]:
    """User ids by name: three annotators in an open study of six failures."""
    people = {user.name: user.user_id for user in add_users(engine)}
    open_study(engine)
    return people
