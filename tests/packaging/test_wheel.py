"""The wheel: one top-level name, and without extras a library that scores, lints and computes agreement."""

import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from importlib.metadata import distribution, packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from clinicnum.extras import PACKAGES

ROOT = Path(__file__).parents[2]
PROJECT = (ROOT / "pyproject.toml").read_text("utf-8")
SOURCES = ("clinicnum", "annotations", "db", "ui", "scripts", "pyproject.toml", "README.md", "LICENSE")
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")
USE = """
import clinicnum, pandas as pd
benchmark = clinicnum.generate(quota="retrieval=2", seed=1)
answers = benchmark.to_frame()[["instance_id", "answer"]].rename(columns={"answer": "text"})
scores = clinicnum.score(benchmark, answers.assign(run_id="m"))
assert scores.to_frame()["lenient"].all()
scores.save(".")
assert not len(clinicnum.lint_benchmark(benchmark))
labels = pd.DataFrame({"ann": ["yes", "no", "no"], "ben": ["yes", "no", "yes"]})
print(round(clinicnum.agreement(labels, scale="nominal").coefficient("cohen_kappa").value, 3))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy: a build leaves folders beside its sources."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, symlinks=True)
        else:
            shutil.copy(ROOT / name, source / name)
    command = [*PIP, "wheel", ".", "--quiet", "--no-deps", "--no-build-isolation", "-w", str(target)]
    subprocess.run(command, cwd=source, check=True, timeout=300)
    return next(target.glob("*.whl"))


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment that holds the wheel and the packages it needs without extras."""
    home = tmp_path_factory.mktemp("bare")
    venv.create(home, with_pip=False)
    site = next(home.glob("lib/python*/site-packages"))
    for line in tomllib.loads(PROJECT)["project"]["dependencies"]:
        for name in set(needed(Requirement(line))):
            link(name, site)
    python = home / "bin" / "python"
    for command in (["install", "--quiet", "--no-index", str(wheel)], ["check"]):
        subprocess.run([*PIP, "--python", str(python), *command], check=True, timeout=300)
    return home / "bin"


@pytest.fixture(scope="module")
def asked(bare: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a benchmark, which the bare library generates, and what looks like a model."""
    folder = tmp_path_factory.mktemp("asked")
    (folder / "model").mkdir()
    for name in ("config.json", "tokenizer_config.json", "model.safetensors"):
        (folder / "model" / name).write_text("{}", "utf-8")
    made = run(bare, "clinicnum", "generate", "--quota", "retrieval=1", "--out", "b.jsonl", folder=folder)
    assert made.returncode == 0, made.stderr
    return folder


def needed(requirement: Requirement) -> Iterator[str]:
    """The distributions of a requirement, itself among them, that this Python needs."""
    if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
        yield requirement.name
        for line in distribution(requirement.name).requires or ():
            yield from needed(Requirement(line))


def link(name: str, site: Path) -> None:
    """Make a distribution of this environment known to another."""
    installed = distribution(name)
    for top in {file.parts[0] for file in installed.files or () if not file.parts[0].startswith((".", "_"))}:
        if not (site / top).exists():
            (site / top).symlink_to(Path(str(installed.locate_file(top))))


def run(bare: Path, *command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program of the bare environment, away from the checkout."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        [bare / command[0], *command[1:]],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_the_wheel_adds_one_name_and_no_development_tools(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.partition("/")[0] for name in names} - {f"{wheel.name[:15]}.dist-info"} == {"clinicnum"}
    assert {"clinicnum/py.typed", "clinicnum/__init__.pyi", "clinicnum/ui/app/server.py"} <= set(names)
    assert [name for name in names if name.startswith("clinicnum/scripts/dev")] == []


def test_the_package_of_every_extra_is_explained() -> None:
    of = packages_distributions()
    found = {name for packages in PACKAGES.values() for package in packages for name in of[package]}
    extras: dict[str, list[str]] = tomllib.loads(PROJECT)["project"]["optional-dependencies"]
    wanted = {canonicalize_name(Requirement(line).name) for extra in PACKAGES for line in extras[extra]}
    # FastAPI imports python-multipart.
    assert wanted - set(map(canonicalize_name, found)) == {"clinicnum", "python-multipart"}


def test_the_bare_library_is_imported_within_a_second(bare: Path, tmp_path: Path) -> None:
    seconds = []
    for _ in range(5):
        begun = time.perf_counter()
        assert run(bare, "python", "-c", "import clinicnum", folder=tmp_path).returncode == 0
        seconds.append(time.perf_counter() - begun)
    assert min(seconds) < 1


def test_the_bare_library_and_its_commands_score_lint_and_compute_agreement(
    bare: Path, tmp_path: Path
) -> None:
    done = run(bare, "python", "-W", "error", "-c", USE, folder=tmp_path)
    assert (done.stdout.strip(), done.returncode) == ("0.4", 0), done.stderr
    (tmp_path / "l.csv").write_text("item,annotator,label\n1,a,y\n1,b,y\n2,a,n\n2,b,y\n", "utf-8")
    for line, printed in (
        ("lint benchmark.jsonl", "0 findings"),
        ("score --benchmark benchmark.jsonl --generations m.generations.jsonl --out s.jsonl", "retrieval"),
        ("agreement --from l.csv --scale nominal --categories y,n --json", "krippendorff_alpha"),
    ):
        done = run(bare, "clinicnum", *line.split(), folder=tmp_path)
        assert done.returncode == 0, (line, done.stderr)
        assert printed in done.stdout


@pytest.mark.parametrize(
    ("line", "extra"),
    [
        ("serve", "ui"),
        ("report --study first --out report", "ui"),
        ("verify bundle.zip", "report"),
        ("run --benchmark b.jsonl --model model --out g.jsonl", "local"),
        ("run --benchmark b.jsonl --model m --client openai --base-url http://127.0.0.1:9 --out g", "openai"),
    ],
)
def test_a_command_says_which_extra_to_install(bare: Path, asked: Path, line: str, extra: str) -> None:
    done = run(bare, "clinicnum", *line.split(), folder=asked)
    assert re.fullmatch(
        rf'error: \w+ is not installed; run: pip install "clinicnum\[{extra}\]"\n', done.stderr
    )
    assert done.returncode == 2
