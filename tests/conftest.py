"""Fixtures for every test: each database test runs on SQLite and on a real PostgreSQL."""

import gc
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import psycopg
import pytest
from argon2 import PasswordHasher
from hypothesis import settings
from sqlalchemy import Engine, event

from clinicnum.db import passwords
from clinicnum.db.engine import is_sqlite, make_engine
from clinicnum.db.migrate import migrate
from clinicnum.scripts.dev.load_test.postgres_cluster import postgres_binary, throwaway_cluster
from tests.db.examples import add_users, open_study
from tests.slow import is_slow, is_slow_file, longest_first, taken_together

if TYPE_CHECKING:
    from xdist.scheduler import LoadFileScheduling

    from tests.clinicnum.serving import Served
    from tests.runs.starting import Starter

# A busy machine is no fault: examples have no deadline. `scripts/dev/evidence` takes the larger profile.
settings.register_profile("default", deadline=None)
settings.register_profile("evidence", deadline=None, max_examples=1_000)
settings.load_profile("default")

# Anchors of databases on PostgreSQL go to the user's state folder: not to that of who runs the tests.
os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="clinicnum-tests-")

# A hash at argon2's defaults takes a tenth of a second, and so does each log-in; `test_users` tries them.
DEFAULT_HASHER = passwords.hasher
passwords.hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)

IN_CI = os.environ.get("CI") == "true"

# While tests are collected nothing becomes garbage, and later little: looking for it took a quarter of the
# time of collecting and a tenth of that of testing. At the end of each file it is looked for in any case.
gc.disable()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With -m "not slow", slow files are not even imported."""
    return True if config.option.markexpr == "not slow" and is_slow_file(collection_path) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is slow; the longest files come first."""
    for item in items:
        if is_slow(item):
            item.add_marker("slow")
    items.sort(key=longest_first)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> "LoadFileScheduling | None":
    """With --dist loadfile: a file on one worker, and so are files that share what is dear to start."""
    from xdist.scheduler import LoadFileScheduling

    class Together(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return taken_together(super()._split_scope(nodeid).removeprefix("tests/"))

    return Together(config, log) if config.option.dist == "loadfile" else None


def pytest_collection_finish() -> None:
    """From here on garbage is looked for, but not among what was collected."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


@pytest.fixture(scope="module", autouse=True)
def _settle_memory() -> Iterator[None]:
    """What a file imported stays: it need not be looked through again at each collection of garbage."""
    yield
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def postgres_folder() -> Iterator[Path]:
    """A throwaway cluster that listens on a socket in this folder only."""
    if postgres_binary("initdb") is None:
        if IN_CI:
            pytest.fail("PostgreSQL is missing; CI must install it")
        pytest.skip("PostgreSQL is not installed")
    with throwaway_cluster() as cluster:
        yield cluster.folder


def _postgres_url(folder: Path, name: str) -> str:
    return f"postgresql://clinicnum@/{name}?host={quote(str(folder), safe='')}"


def _migrate_and_close(url: str) -> None:
    engine = make_engine(url)
    migrate(engine)
    engine.dispose()


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated, empty database file that tests copy: to migrate takes a third of a second."""
    path = tmp_path_factory.mktemp("template") / "template.db"
    _migrate_and_close(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def postgres_template(postgres_folder: Path) -> str:
    """The name of a migrated, empty database that tests copy."""
    with psycopg.connect(f"host={postgres_folder} user=clinicnum dbname=postgres", autocommit=True) as admin:
        admin.execute("CREATE DATABASE migrated")
    _migrate_and_close(_postgres_url(postgres_folder, "migrated"))
    return "migrated"


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a database of the test's own: empty, or migrated for a test that asks for `engine`."""
    yield from own_database(request, tmp_path)


def own_database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Make the database of a test, of the kind that the fixture's parameter names; it goes with the test."""
    migrated = "engine" in request.fixturenames
    if request.param == "sqlite":
        path = tmp_path / "test.db"
        if migrated:
            shutil.copy(request.getfixturevalue("sqlite_template"), path)
        yield f"sqlite:///{path}"
        return
    folder: Path = request.getfixturevalue("postgres_folder")
    template = request.getfixturevalue("postgres_template") if migrated else "template1"
    name = f"t{abs(hash(request.node.nodeid)):x}"
    with psycopg.connect(f"host={folder} user=clinicnum dbname=postgres", autocommit=True) as admin:
        admin.execute(f'CREATE DATABASE "{name}" TEMPLATE {template}')
        try:
            yield _postgres_url(folder, name)
        finally:
            admin.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture(scope="session")
def small_model() -> Path:
    """The folder of the pinned small model, downloaded and converted on first use."""
    from clinicnum.errors import InputError
    from clinicnum.scripts.commands.common.install_small_model import ensure_small_model

    try:
        return ensure_small_model()
    except InputError as error:
        if IN_CI:
            pytest.fail(str(error))
        pytest.skip(f"the small model is not available: {error}")


@pytest.fixture(scope="session")
def model_programs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder of programs that run or serve a model, each as a process of its own that is forked: it need
    not import torch anew.
    """
    from tests.command_server import command_server
    from tests.runs.starting import PRELOADED

    with command_server(tmp_path_factory.mktemp("programs") / "commands", *PRELOADED) as programs:
        yield programs


@pytest.fixture(scope="session")
def starter(model_programs: Path, tmp_path_factory: pytest.TempPathFactory) -> "Starter":
    """Starts commands, as `model_programs` does."""
    from tests.runs.starting import Starter

    return Starter(model_programs.with_name("commands"), tmp_path_factory.mktemp("starter"))


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory, small_model: Path, starter: "Starter") -> tuple[Path, str]:
    """The folder that `clinicnum demo` made, and what it printed, first on standard error."""
    out = tmp_path_factory.mktemp("demo")
    said = starter.run("demo", "--no-serve", "--out", str(out))
    return out, said + starter.out.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def model_server(
    small_model: Path, model_programs: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator["Served"]:
    """`transformers serve` with the small model in float32, on a free port of this machine."""
    from tests.clinicnum.serving import transformers_server

    with transformers_server(small_model, tmp_path_factory.mktemp("serve"), model_programs) as served:
        yield served


class _Statements(dict[Any, Any]):
    """Compiled statements by the name of their dialect, not by its object: each engine has another."""

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get((key[0].name, *key[1:]), default)

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__((key[0].name, *key[1:]), value)


# To compile statements anew for each test's engine takes a quarter of the time of these tests.
_COMPILED = _Statements()


def _do_not_wait_for_the_disk(connection: Any, _: Any) -> None:
    """A commit waits in case the power fails, which no test does; a killed process loses nothing without.

    As in the cluster of PostgreSQL. `test_engine.py` asks an engine of the product for its settings.
    """
    connection.execute("PRAGMA synchronous=OFF")


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    """A migrated, empty database."""
    made = make_engine(database_url)
    made.update_execution_options(compiled_cache=_COMPILED)
    if is_sqlite(made):
        event.listen(made, "connect", _do_not_wait_for_the_disk)
    yield made
    made.dispose()


@pytest.fixture
def annotators(engine: Engine) -> dict[str, str]:
    """User ids by name: three annotators in an open study of six failures."""
    people = {user.name: user.user_id for user in add_users(engine)}
    open_study(engine)
    return people
