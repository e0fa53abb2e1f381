"""`clinicnum templates publish`, `import`, `export`, `trace`, `regress`: a bank and its releases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clinicnum.scripts.commands.common.json_option import JsonOption
from clinicnum.scripts.commands.common.open_database import DatabaseOption

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clinicnum.annotations.curation.bank_regression import Regression
    from clinicnum.templates.template import Template


def publish(
    name: Annotated[str, typer.Option(help="Name of the release: a-z, 0-9, dot, dash, underscore.")],
    out: Annotated[Path, typer.Option(help="Folder to write it into; new, or empty.")],
    notes: Annotated[str, typer.Option(help="Why it is made; stands first in the changelog.")] = "",
    include_unreviewed: Annotated[
        bool, typer.Option("--include-unreviewed", help="Take unreviewed templates too, marked as such.")
    ] = False,
    leave_out: Annotated[str, typer.Option(help="Template ids to leave out, joined by commas.")] = "",
    date: Annotated[
        str | None, typer.Option(help="YYYY-MM-DD; without it the release does not depend on the day.")
    ] = None,
    licence: Annotated[str, typer.Option(help="SPDX identifier of the bank's licence.")] = "Apache-2.0",
    authors: Annotated[str, typer.Option(help="Who is to be cited, joined by semicolons.")] = "",
    db: DatabaseOption = None,
    json_output: JsonOption = False,
) -> None:
    """Publish the validated templates of the database as a release: immutable, hashed, with evidence.

    Example: clinicnum templates publish --name ward-2026.1 --out ward-2026.1 --notes "first release"
    """
    from clinicnum.db.engine import reading, writing
    from clinicnum.db.work.accounts.users import COMMAND_LINE
    from clinicnum.db.work.release.releases import ReleaseOptions, plan_release, publish
    from clinicnum.scripts.commands.common.open_database import using_database

    _check_new(out, release_too=True)
    order = ReleaseOptions(
        name=name,
        notes=notes,
        date=date,
        include_unreviewed=include_unreviewed,
        leave_out=tuple(_parts(leave_out, ",")),
        licence=licence,
        authors=tuple(_parts(authors, ";")),
    )
    with using_database(db) as engine:
        with reading(engine) as session:
            made = plan_release(session, order)
        there = _there(out, made.manifest.sha256)
        with writing(engine) as session:
            publish(session, made, actor=COMMAND_LINE)
    if not there:
        _write(out, made.files)
    manifest = made.manifest
    if json_output:
        told = {
            "name": name,
            "sha256": manifest.sha256,
            "templates": len(manifest.templates),
            "new": not made.known,
        }
        typer.echo(json.dumps(told))
        return
    validated = sum(one.status == "validated" for one in manifest.templates)
    again = "; it was published before, just so" if made.known else ""
    typer.echo(
        f"{out}: release {name}, {len(manifest.templates)} templates, {validated} validated, "
        f"sha256 {manifest.sha256}{again}"
    )


def import_(
    folder: Annotated[Path, typer.Argument(help="A folder of YAML files with templates, or a release.")],
    db: DatabaseOption = None,
    json_output: JsonOption = False,
) -> None:
    """Import templates into the database. Those that a release proves to be validated stay validated, retired
    ones stay retired; all others are unreviewed.

    Example: clinicnum templates import my-bank
    """
    from clinicnum.db.engine import writing
    from clinicnum.db.work.accounts.users import COMMAND_LINE
    from clinicnum.db.work.release.bank_import import import_release, import_templates
    from clinicnum.release import is_release, read_release
    from clinicnum.scripts.commands.common.open_database import using_database
    from clinicnum.templates.bank import load_bank

    release = read_release(folder) if is_release(folder) else None
    templates = () if release else load_bank(folder)
    with using_database(db) as engine, writing(engine) as session:
        if release is not None:
            brought = import_release(session, release, actor=COMMAND_LINE)
        else:
            brought = import_templates(session, templates, actor=COMMAND_LINE)
    if json_output:
        fields = ("template_id", "version", "claimed", "status", "new", "said")
        typer.echo(
            json.dumps([{field: getattr(one, field) for field in fields} for one in brought], indent=1)
        )
        return
    for one in brought:
        typer.echo(f"{one.template_id} version {one.version}: {one.said}")
    doubted = sum(one.doubted for one in brought)
    said = f"; {doubted} entered as unreviewed against what the files say" if doubted else ""
    typer.echo(f"{sum(one.new for one in brought)} of {len(brought)} templates are new{said}")


def export(
    folder: Annotated[Path, typer.Argument(help="Folder to write into; new, or empty.")],
    release: Annotated[
        str | None, typer.Option(help="Write this release as it was published, byte for byte.")
    ] = None,
    db: DatabaseOption = None,
) -> None:
    """Write the bank of the database as YAML, with the newest usable version of each template.

    Example: clinicnum templates export my-bank
    """
    from clinicnum.db.engine import reading
    from clinicnum.db.work.release.releases import load_release
    from clinicnum.db.work.release.template_readiness import askable_templates
    from clinicnum.release.make import bank_texts
    from clinicnum.scripts.commands.common.open_database import existing_database

    _check_new(folder)
    with existing_database(db) as engine, reading(engine) as session:
        if release is not None:
            files = load_release(session, release).files
        else:
            templates = askable_templates(session)
            files = bank_texts(templates, "Exported by clinicnum templates export.")
    _write(folder, files)
    for file in sorted(files):
        typer.echo(folder / file)


def trace(
    template: Annotated[str, typer.Argument(help="Template id.")],
    version: Annotated[int | None, typer.Option(help="One version only.")] = None,
    db: DatabaseOption = None,
    json_output: JsonOption = False,
) -> None:
    """Show the history of a template and its use: failure, draft, rounds, releases, runs, figures.

    Example: clinicnum templates trace arithmetic.pulse_pressure
    """
    from dataclasses import asdict

    from clinicnum.db.engine import reading
    from clinicnum.db.work.release.template_trace import trace_template
    from clinicnum.scripts.commands.common.open_database import existing_database
    from clinicnum.scripts.commands.text.trace_and_bank_regression import trace_lines

    with existing_database(db) as engine, reading(engine) as session:
        found = trace_template(session, template, version)
    if json_output:
        typer.echo(json.dumps(asdict(found), indent=1, default=lambda one: one.model_dump(mode="json")))
        return
    for line in trace_lines(found):
        typer.echo(line)


def regress(
    bank: Annotated[str, typer.Option(help="The new bank: a release, a folder, base, extended or all.")],
    benchmark: Annotated[
        Path | None, typer.Option(help="Instances, JSONL; without it, the runs in the database.")
    ] = None,
    generations: Annotated[list[Path] | None, typer.Option(help="Generations, one file a run.")] = None,
    scores: Annotated[list[Path] | None, typer.Option(help="Scores of these generations.")] = None,
    invalidations: Annotated[
        Path | None, typer.Option(help="invalidations.jsonl of an export: what upheld contests took out.")
    ] = None,
    db: DatabaseOption = None,
    json_output: JsonOption = False,
) -> None:
    """Apply a new bank to stored runs: what changes for which model, and why. No model is run again.

    Example: clinicnum templates regress --bank ward-2026.1 --benchmark bench.jsonl
    --generations generations.jsonl --scores scores.jsonl
    """
    from clinicnum.annotations.curation.bank_regression import regression_json
    from clinicnum.api.make_benchmark import bank_at
    from clinicnum.errors import InputError
    from clinicnum.scripts.commands.text.trace_and_bank_regression import regression_lines

    if benchmark is None and (generations or scores or invalidations):
        raise InputError("--generations, --scores and --invalidations belong to a --benchmark; name it")
    if benchmark is not None and db is not None:
        raise InputError("--db has its own runs; leave it out, or leave out --benchmark")
    templates, _ = bank_at(bank)
    if benchmark is None:
        found = _regress_database(db, templates)
    else:
        found = [_regress_files(templates, benchmark, generations or [], scores or [], invalidations)]
    if json_output:
        typer.echo(json.dumps([regression_json(one) for one in found], indent=1))
        return
    for one in found:
        for line in regression_lines(one):
            typer.echo(line)


def _regress_files(
    templates: Sequence[Template],
    benchmark: Path,
    generations: Sequence[Path],
    scores: Sequence[Path],
    invalidations: Path | None,
) -> Regression:
    from clinicnum.annotations.curation.bank_regression import regress as judge
    from clinicnum.annotations.study_inputs import check_material
    from clinicnum.annotations.types import Invalidation
    from clinicnum.io.jsonl import read_jsonl
    from clinicnum.scripts.commands.common.study_material_files import read_material

    material = read_material(benchmark, generations, scores)
    check_material(material)
    gone = list(read_jsonl(invalidations, Invalidation)) if invalidations else []
    return judge(
        material, templates, invalidated={one.instance_id: f"{one.reason} ({one.rule})" for one in gone}
    )


def _regress_database(db: str | None, templates: Sequence[Template]) -> list[Regression]:
    from clinicnum.db.engine import reading
    from clinicnum.db.work.release.bank_regression import regress_stored, scored_benchmarks
    from clinicnum.errors import InputError
    from clinicnum.scripts.commands.common.open_database import existing_database

    with existing_database(db) as engine, reading(engine) as session:
        benchmarks = scored_benchmarks(session)
        if not benchmarks:
            raise InputError("the database has no scored run; load one: clinicnum runs add --help")
        return [regress_stored(session, templates, benchmark_id=one) for one in benchmarks]


def _parts(joined: str, by: str) -> list[str]:
    return [part.strip() for part in joined.split(by) if part.strip()]


def _there(out: Path, sha256: str) -> bool:
    """Whether the folder already holds the release. Raises InputError if it holds another one."""
    from clinicnum.errors import InputError
    from clinicnum.release import is_release, read_release

    if not is_release(out):
        return False
    held = read_release(out)
    if held.sha256 != sha256:
        raise InputError(
            f"{out}: holds the release {held.name}, sha256 {held.sha256[:12]}; name a new folder"
        )
    return True


def _check_new(out: Path, *, release_too: bool = False) -> None:
    """Raise InputError early for a folder that exists with content, or whose parent folder does not exist."""
    from clinicnum.errors import InputError
    from clinicnum.release import is_release

    if release_too and is_release(out):
        return
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"{out}: is there already; name a new folder, or an empty one")
    if not out.parent.is_dir():
        raise InputError(f"{out}: folder {out.parent} does not exist; make it or name another")


def _write(out: Path, files: Mapping[str, str]) -> None:
    """Write the files into a new folder, which appears only when all of them are complete."""
    import shutil
    import tempfile

    made = Path(tempfile.mkdtemp(dir=out.parent, prefix=f".{out.name}."))
    try:
        for name, text in files.items():
            (made / name).write_bytes(text.encode())
        made.chmod(0o755)
        made.replace(out)
    finally:
        shutil.rmtree(made, ignore_errors=True)
