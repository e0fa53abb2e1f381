"""Every command that reads files, on whole and on spoilt ones."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from sqlalchemy import Engine

from clinicnum.db.engine import make_engine
from clinicnum.db.migrate import migrate
from tests.db.examples import add_users, open_study
from tests.fuzz.commands import COMMANDS, OUT, Command, try_command
from tests.fuzz.judging import Case
from tests.fuzz.test_readers import CASES


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """One database for all, with a study in it."""
    made = make_engine(f"sqlite:///{tmp_path_factory.mktemp('fuzzed')}/study.db")
    migrate(made)
    add_users(made)
    open_study(made)
    yield made
    made.dispose()


@pytest.mark.parametrize("command", COMMANDS, ids=lambda one: one.name)
def test_a_command_on_spoilt_files(
    command: Command, database: Engine, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert try_in_a_folder(command, tmp_path_factory, database, Case(0, ())) == "read"

    @settings(
        max_examples=command.examples,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=CASES)
    def spoil(case: Case) -> None:
        try_in_a_folder(command, tmp_path_factory, database, case)

    spoil()


def try_in_a_folder(command: Command, folders: pytest.TempPathFactory, database: Engine, case: Case) -> str:
    """Each try has a folder of its own, so that nothing of an earlier one is found in it."""
    folder: Path = folders.mktemp(OUT)
    return try_command(command, folder, database, case)
