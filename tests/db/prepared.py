"""States of a database that many tests begin with: made once in a process, then copied, on SQLite."""

import pickle
import shutil
import tempfile
from collections.abc import Callable
from copy import deepcopy
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar, cast

from sqlalchemy import Engine, func, select

from clinicnum.db.engine import is_sqlite, reading
from clinicnum.db.rows import AuditRow

P = ParamSpec("P")
R = TypeVar("R")


def made_once(make: Callable[Concatenate[Engine, P], R]) -> Callable[Concatenate[Engine, P], R]:
    """Copy the database that `make` made of an empty one, if it was asked for the same before.

    What it returned is copied, too. A database that holds anything is not replaced: `make` adds to it. On
    PostgreSQL it always does, as a copy there takes as long as the few rows.
    """
    kept: dict[bytes, tuple[Path, R]] = {}

    @wraps(make)
    def copied(engine: Engine, *args: P.args, **kwargs: P.kwargs) -> R:
        if not is_sqlite(engine) or not _is_empty(engine):
            return make(engine, *args, **kwargs)
        database, key = Path(str(engine.url.database)), pickle.dumps((args, kwargs))
        if key not in kept:
            made, copy = make(engine, *args, **kwargs), Path(tempfile.mkdtemp(prefix="clinicnum-tests-"))
            engine.dispose()  # without connections, all is in one file
            kept[key] = Path(shutil.copy(database, copy / "kept.db")), deepcopy(made)
            return made
        copy, made = kept[key]
        engine.dispose()
        shutil.copyfile(copy, database)
        return deepcopy(made)

    return cast("Callable[Concatenate[Engine, P], R]", copied)


def _is_empty(engine: Engine) -> bool:
    with reading(engine) as session:
        return not session.scalar(select(func.count()).select_from(AuditRow))
