"""Find an installed engine and its version.

Engines have separate environments, as their pinned versions differ from ours.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from clinicnum.errors import InputError
from clinicnum.scripts.commands.common.install_small_model import cache_folder
from clinicnum.scripts.commands.inference.engines.arguments import Engine
from clinicnum.scripts.commands.inference.file_hashes import cached_sha256

_ASKING_S = 120
"""Seconds that an engine may take to tell its version."""


@dataclass(frozen=True)
class Installed:
    """An installed engine."""

    program: Path
    version: str


def engine_folder(engine: Engine) -> Path:
    """The engine's own environment, where `install_command` installs it."""
    return cache_folder() / "engines" / engine.name


def install_command(engine: Engine) -> str:
    """The command that installs the engine."""
    return engine.install.format(folder=engine_folder(engine))


def find_engine(engine: Engine, named: Path | None = None) -> Installed:
    """The engine at `named` (its program, or its environment's folder), else in the usual places.

    Raises InputError if it is not there, with the command that installs it.
    """
    if named is not None:
        program = named / "bin" / engine.program if named.is_dir() else named
        if not _is_program(program):
            raise InputError(
                f"--engine-path {named}: no program {engine.program} there; name {engine.name}'s program, or "
                "the folder of its environment"
            )
        version = _version(engine, program)
        if version is None:
            raise InputError(
                f"--engine-path {named}: {program} tells no version of {engine.name}; name another"
            )
        return Installed(program, version)
    for program in _candidates(engine):
        version = _version(engine, program) if _is_program(program) else None
        if version is not None:
            return Installed(program, version)
    raise InputError(
        f"--engine {engine.name}: not found in {engine_folder(engine)} or on the PATH; install it with "
        f"`{install_command(engine)}`, or name it with --engine-path"
    )


def _candidates(engine: Engine) -> Iterator[Path]:
    """Where the program may be, the engine's own environment first."""
    yield engine_folder(engine) / "bin" / engine.program
    if engine.package is None:
        yield from sorted(cache_folder().glob(f"{engine.program}-*/{engine.program}"), reverse=True)
    elif engine.name == "transformers":
        yield Path(sys.executable).with_name(engine.program)
    found = shutil.which(engine.program)
    if found is not None:
        yield Path(found)


def _is_program(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def _version(engine: Engine, program: Path) -> str | None:
    """The version, or None where the program is not this engine's."""
    if engine.package is None:
        said = _said([str(program), "--version"])
        line = next((one for one in said.splitlines() if one.startswith("version")), None)
        # Built from an archive it calls itself version 0: the program's own hash tells builds apart.
        return (
            None
            if line is None
            else f"{line.removeprefix('version:').strip()}, sha256 {cached_sha256(program)[:12]}"
        )
    python = program.with_name("python")
    asked = f"from importlib.metadata import version; print(version({engine.package!r}))"
    return _said([str(python), "-c", asked]).strip() or None if _is_program(python) else None


def _said(command: list[str]) -> str:
    """What a command prints; nothing if it fails."""
    try:
        done = subprocess.run(  # noqa: S603 - the program that the user installed
            command, capture_output=True, text=True, timeout=_ASKING_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout + done.stderr if done.returncode == 0 else ""
