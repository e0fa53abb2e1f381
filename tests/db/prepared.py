"""States of a database that many tests begin with: made once in a process, then copied."""

import pickle
import shutil
import tempfile
from collections.abc import Callable
from copy import deepcopy
from functools import wraps
from pathlib import Path
from time import perf_counter
from typing import Any, Concatenate, ParamSpec, TypeVar, cast
from uuid import uuid4

import psycopg
from sqlalchemy import Engine, func, select

from clinicnum.db.engine import is_sqlite, reading
from clinicnum.db.rows import AuditRow

P = ParamSpec("P")
R = TypeVar("R")


COPY_S = 0.8
"""On PostgreSQL a copy takes about a quarter of this: what is made in less is made anew."""


def made_once(make: Callable[Concatenate[Engine, P], R]) -> Callable[Concatenate[Engine, P], R]:
    """Copy the database that `make` made of an empty one, if it was asked for the same before.

    What it returned is copied, too. A database that holds anything is not replaced: `make` adds to it, and so
    it does on PostgreSQL where it took less than COPY_S.
    """
    kept: dict[tuple[str, bytes], tuple[Path | str, R]] = {}

    @wraps(make)
    def copied(engine: Engine, *args: P.args, **kwargs: P.kwargs) -> R:
        if not _is_empty(engine):
            return make(engine, *args, **kwargs)
        key = (engine.dialect.name, pickle.dumps((args, kwargs)))
        if key in kept:
            copy, made = kept[key]
            _replace(engine, copy)
            return deepcopy(made)
        began = perf_counter()
        made = make(engine, *args, **kwargs)
        if is_sqlite(engine) or perf_counter() - began > COPY_S:
            kept[key] = _keep(engine), deepcopy(made)
        return made

    return cast("Callable[Concatenate[Engine, P], R]", copied)


def _keep(engine: Engine) -> Path | str:
    """A copy of the database: a file, or the name of a database of the same cluster."""
    engine.dispose()  # without connections, all is in one file, and PostgreSQL can copy it
    if is_sqlite(engine):
        folder = tempfile.mkdtemp(prefix="clinicnum-tests-")
        return Path(shutil.copy(str(engine.url.database), Path(folder) / "kept.db"))
    name = f"kept_{uuid4().hex}"
    with _administering(engine) as admin:
        admin.execute(f'CREATE DATABASE "{name}" TEMPLATE "{engine.url.database}"')
    return name


def _replace(engine: Engine, copy: Path | str) -> None:
    """Let the database be what the copy is."""
    engine.dispose()
    if isinstance(copy, Path):
        shutil.copyfile(copy, str(engine.url.database))
        return
    with _administering(engine) as admin:
        admin.execute(f'DROP DATABASE "{engine.url.database}"')
        admin.execute(f'CREATE DATABASE "{engine.url.database}" TEMPLATE "{copy}"')


def _administering(engine: Engine) -> "psycopg.Connection[Any]":
    folder = engine.url.query["host"]
    return psycopg.connect(f"host={folder} user=clinicnum dbname=postgres", autocommit=True)


def _is_empty(engine: Engine) -> bool:
    with reading(engine) as session:
        return not session.scalar(select(func.count()).select_from(AuditRow))
