"""Check the golds of a benchmark (`clinicnum lint`): which are wrong or ambiguous, and why."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

if TYPE_CHECKING:
    from clinicnum.io.text_lines import Progress
    from clinicnum.lint.lint_results import Examination, Said
    from clinicnum.templates.template import Template


def lint(
    file: Annotated[
        Path,
        typer.Argument(help="Our JSONL, or a CSV with question, answer, dataset_source.", show_default=False),
    ],
    bank: Annotated[
        Path | None,
        typer.Option(help="Folder of templates that the file was made from, besides clinicnum's banks."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print findings and counts as one JSON object.")
    ] = False,
) -> int:
    """Check a benchmark: recompute every gold from its context.

    Exit code 0 without findings, 1 with findings, 2 for a file that cannot be read.

    Example: clinicnum lint bench.jsonl
    """
    from clinicnum.credentialed_data import data_use, mark
    from clinicnum.io.jsonl import read_meta
    from clinicnum.lint.lint_file import lint as examine
    from clinicnum.lint.summary import summary
    from clinicnum.scripts.commands.common.credentialed_warning import warn

    # Written to temporary files until the whole file is read, so that an invalid line gives only its error.
    with _aside() as findings, _aside() as others, _progress(file) as progress:
        examination = examine(file, templates_of(file, bank), progress)
        _keep(examination, findings, others, _as_json if as_json else _as_text(file))
        meta, sources = read_meta(file), examination.tally.sources
        # A benchmark made by another program does not say whether it is credentialed; none is assumed.
        said = data_use(meta or {}, sources=sources) if meta or sources else None
        warn(said)
        if as_json:
            _print_json(examination, file, findings, others, mark(said))
        else:
            _copy(findings, "\n", "\n")
            _copy(others, "\n", "\n")
            typer.echo("\n".join(summary(examination.tally)))
    return 1 if examination.tally.by_rule else 0


def templates_of(file: Path, bank: Path | None) -> tuple[Template, ...]:
    """The templates of a JSONL file: the packaged banks, overridden by a user's templates with the same id.

    A CSV file has none. Raises InputError for a `bank` that holds no valid templates, or is given for a CSV.
    """
    from clinicnum.errors import InputError
    from clinicnum.lint.input_files import kind_of
    from clinicnum.templates.bank import BASE_BANK, EXTENDED_BANK, load_bank

    if kind_of(file) != "clinicnum":
        if bank is not None:
            raise InputError("--bank is for JSONL; a CSV asks questions of the base bank: leave it out")
        return ()
    folders = [BASE_BANK, EXTENDED_BANK, *([bank] if bank else [])]
    return tuple({template.id: template for folder in folders for template in load_bank(folder)}.values())


@contextmanager
def _progress(file: Path) -> Iterator[Progress]:
    """A progress bar of the bytes read, on a terminal only, removed at the end; yields a function that
    advances it by a number of bytes.
    """
    from rich.console import Console
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    with Bar(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("examined", total=file.stat().st_size if file.is_file() else None)
        yield lambda count: bar.advance(task, count)


def _aside() -> AbstractContextManager[TextIO]:
    return tempfile.TemporaryFile("w+", encoding="utf-8")


def _keep(examination: Examination, findings: TextIO, others: TextIO, line: Callable[[Said], str]) -> None:
    """Write each result as one line, findings to one file and everything else to another."""
    from clinicnum.lint.lint_results import Finding

    for said in examination.said:
        (findings if isinstance(said, Finding) else others).write(line(said) + "\n")


def _as_json(said: Said) -> str:
    return json.dumps(said.as_json(), ensure_ascii=False)


def _as_text(file: Path) -> Callable[[Said], str]:
    return lambda said: f"{file}:{said.place.line}: row {said.place.row}: {said.template}: {said.text()}"


def _copy(kept: TextIO, between: str, end: str) -> None:
    """Print the lines of a temporary file, with `between` between them and `end` after the last."""
    kept.seek(0)
    first = True
    for line in kept:
        sys.stdout.write(line.removesuffix("\n") if first else between + line.removesuffix("\n"))
        first = False
    if not first:
        sys.stdout.write(end)


def _print_json(
    examination: Examination, file: Path, findings: TextIO, others: TextIO, marked: dict[str, object]
) -> None:
    """Print one JSON object; its two long lists come last."""
    tally = examination.tally
    counts = {
        "file": str(file),
        "kind": examination.kind,
        "rows": tally.rows,
        "checked": tally.checked,
        "by_rule": dict(sorted(tally.by_rule.items())),
        "by_template": {name: asdict(counts) for name, counts in sorted(tally.by_template.items())},
        "not_checked": dict(sorted(tally.not_checked.items())),
        **marked,
    }
    sys.stdout.write(json.dumps(counts, ensure_ascii=False).removesuffix("}"))
    for name, kept in (("findings", findings), ("not_checked_items", others)):
        sys.stdout.write(f', "{name}": [')
        _copy(kept, ", ", "")
        sys.stdout.write("]")
    sys.stdout.write("}\n")
