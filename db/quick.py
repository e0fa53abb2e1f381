"""A statement that every save runs, compiled once and run past SQLAlchemy's machinery.

That machinery costs ten times what the database takes to answer. Values go through the types' own processors,
in and out, on both databases. Nothing here flushes: a session's pending objects are not seen.
"""

from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import Connection, Dialect, Insert, Select, Update
from sqlmodel import Session

Processor = Callable[[Any], Any] | None


@dataclass(frozen=True)
class _Compiled:
    text: str
    given: dict[str, Any]
    """Values that stand in the statement itself."""
    into: dict[str, Processor]
    order: list[str] | None
    """Names of positional parameters; None where they are passed by name."""
    out: tuple[Processor, ...]
    make: Callable[[Any], Any]


class Quick:
    """A `select` of columns, each named apart, an `insert` or an `update`; values are `bindparam`s."""

    def __init__(self, statement: Select[Any] | Insert | Update) -> None:
        self.statement = statement
        self._by_dialect: dict[str, _Compiled] = {}

    def all(self, session: Session | Connection, **values: Any) -> list[Any]:
        """Its rows, as named tuples."""
        compiled, cursor = self._run(session, values)
        out = compiled.out
        return [
            compiled.make(
                value if process is None else process(value) for process, value in zip(out, row, strict=True)
            )
            for row in cursor.fetchall()
        ]

    def first(self, session: Session | Connection, **values: Any) -> Any:
        """Its first row, or None."""
        rows = self.all(session, **values)
        return rows[0] if rows else None

    def change(self, session: Session | Connection, **values: Any) -> int:
        """Insert or update; the number of rows."""
        return cast(int, self._run(session, values)[1].rowcount)

    def _run(self, session: Session | Connection, values: dict[str, Any]) -> tuple[_Compiled, Any]:
        connection = session.connection() if isinstance(session, Session) else session
        compiled = self._by_dialect.get(connection.dialect.name)
        if compiled is None:
            compiled = self._by_dialect[connection.dialect.name] = self._compile(connection.dialect)
        into = compiled.into
        bound = dict(compiled.given)
        for name, value in values.items():
            process = into[name]
            bound[name] = value if process is None else process(value)
        driver: Any = connection.connection.driver_connection
        ordered = bound if compiled.order is None else [bound[name] for name in compiled.order]
        return compiled, driver.execute(compiled.text, ordered)

    def _compile(self, dialect: Dialect) -> _Compiled:
        made: Any = self.statement.compile(dialect=dialect, compile_kwargs={"render_postcompile": True})
        into = {
            name: param.type.dialect_impl(dialect).bind_processor(dialect)
            for param, name in made.bind_names.items()
        }
        given = {
            name: value if into[name] is None else into[name](value)
            for name, value in made.params.items()
            if name not in _asked(made)
        }
        columns = self.statement.selected_columns if isinstance(self.statement, Select) else ()
        row: Any = namedtuple("Found", [one.key for one in columns])  # type: ignore[misc]
        return _Compiled(
            text=made.string,
            given=given,
            into=into,
            order=made.positiontup,
            out=tuple(one.type.dialect_impl(dialect).result_processor(dialect, None) for one in columns),
            make=row._make,
        )


def _asked(made: Any) -> set[str]:
    """The names that the caller gives a value for."""
    return {name for param, name in made.bind_names.items() if param.required}
