"""The release: a wheel of one top-level name, which scores, lints and computes agreement without extras; a
source archive that builds the same wheel; and one version everywhere.

`scripts/dev/evidence wheel` runs the same on other versions of Python, with packages from PyPI.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from email import message_from_bytes
from importlib.metadata import distribution, packages_distributions, version
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from clinicnum import __version__
from clinicnum.optional_dependencies import PACKAGES
from clinicnum.scripts.dev.pip_audit_result import pinned

ROOT = Path(__file__).parents[2]
PROJECT = (ROOT / "pyproject.toml").read_text("utf-8")
FOLDERS = ("clinicnum", "annotations", "db", "ui", "scripts")
SOURCES = (
    *FOLDERS,
    "docs",
    "pyproject.toml",
    "setup.py",
    "MANIFEST.in",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
    "CITATION.cff",
    "sbom.cdx.json",
)
PYTHONS = os.environ.get("CLINICNUM_PYTHONS", "").split()
"""Other versions of Python on which the wheel is tried."""
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
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy without tags or history: a build leaves folders beside its sources."""
    source = tmp_path_factory.mktemp("source")
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, symlinks=True)
        else:
            shutil.copy(ROOT / name, source / name)
    return source


def build_wheel(of: Path, target: Path) -> Path:
    """Build the wheel of a folder or a source archive."""
    command = [*PIP, "wheel", str(of), "--quiet", "--no-deps", "--no-build-isolation", "-w", str(target)]
    subprocess.run(command, check=True, timeout=300)
    return next(target.glob("*.whl"))


@pytest.fixture(scope="module")
def archive(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source archive."""
    target = tmp_path_factory.mktemp("archive")
    build = f"from setuptools import build_meta; build_meta.build_sdist({str(target)!r})"
    subprocess.run([sys.executable, "-c", build], cwd=source, check=True, capture_output=True, timeout=300)
    return next(target.glob("*.tar.gz"))


@pytest.fixture(scope="module")
def wheel(source: Path, archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the checkout; built after the archive, which must not hold what that build leaves."""
    return build_wheel(source, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module", params=["", *PYTHONS])
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """A new environment that holds the wheel and the packages it needs without extras."""
    home = tmp_path_factory.mktemp("bare")
    if request.param:
        subprocess.run([request.param, "-m", "venv", str(home)], check=True, timeout=300)
        install = [*PIP, "--python", str(home / "bin" / "python"), "install", "--quiet", str(wheel)]
        subprocess.run(install, check=True, timeout=600)
        return home / "bin"
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
    documents = {
        f"docs/{name.partition('/documentation/')[2]}" for name in names if "/documentation/" in name
    }
    assert documents == {str(one.relative_to(ROOT)) for one in (ROOT / "docs").rglob("*.*")}
    assert [name for name in names if name.startswith("clinicnum/scripts/dev")] == []


def test_the_source_archive_builds_the_same_wheel(archive: Path, wheel: Path, tmp_path: Path) -> None:
    with tarfile.open(archive) as packed_sources:
        held = {name.partition("/")[2] for name in packed_sources.getnames()}
    assert {"CHANGELOG.md", "CITATION.cff", "sbom.cdx.json", "LICENSE", "pyproject.toml"} <= held
    assert [name for name in held if name.startswith("tests") or "scripts/dev" in name] == []
    files = []
    for built in (wheel, build_wheel(archive, tmp_path)):
        with zipfile.ZipFile(built) as packed:
            names = {name for name in packed.namelist() if not name.endswith("/RECORD")}
            files.append({name: packed.read(name) for name in names})
    assert files[0] == files[1]


def test_both_may_be_published(archive: Path, wheel: Path) -> None:
    if not shutil.which("twine", path=str(Path(sys.executable).parent)):
        if os.environ.get("CI") == "true":
            pytest.fail("twine is missing; CI must install scripts/dev/release.lock")
        pytest.skip("twine is not installed (scripts/dev/release.lock)")
    check = [sys.executable, "-m", "twine", "--no-color", "check", "--strict", str(archive), str(wheel)]
    done = subprocess.run(check, capture_output=True, text=True, timeout=300)
    assert (done.stdout.count("PASSED"), done.returncode) == (2, 0), done.stdout


def test_the_description_has_no_picture_or_link_that_leads_into_the_checkout(wheel: Path) -> None:
    metadata = message_from_bytes(zipfile.ZipFile(wheel).read(f"clinicnum-{__version__}.dist-info/METADATA"))
    text = str(metadata.get_payload())
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert text.startswith("# clinicnum\n\nclinicnum finds out")
    assert 'pip install "clinicnum[all]"\nclinicnum demo\n' in text
    assert "its figures say nothing about any model" in text
    assert re.findall(r"<img|\]\((?!https:)|scripts/", text) == []


def test_the_version_is_one_everywhere(wheel: Path) -> None:
    packed = zipfile.ZipFile(wheel)
    metadata = message_from_bytes(packed.read(f"clinicnum-{__version__}.dist-info/METADATA"))
    changes = re.findall(
        r"^## (\S+)(?: \((.+)\))?$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE
    )
    released, day = next(one for one in changes if one[0] != "Unreleased")
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert {__version__, version("clinicnum"), metadata["Version"], released, cited["version"]} == {
        __version__
    }
    assert str(cited["date-released"]) == day


def test_a_container_is_given_what_the_wheel_needs() -> None:
    copied = re.findall(
        r"^COPY (?!--from)(.+) \S+$", (ROOT / "Containerfile").read_text("utf-8"), re.MULTILINE
    )
    names = {name for line in copied for name in line.split()}
    let_through = {
        line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")
    }
    assert names == let_through
    assert all((ROOT / name).exists() for name in names)
    assert {"pyproject.toml", "MANIFEST.in", "README.md", "LICENSE", *FOLDERS} <= names


def test_the_list_of_parts_is_that_of_the_lock() -> None:
    """`python -m clinicnum.scripts.dev.sbom` makes it anew."""
    parts = json.loads((ROOT / "sbom.cdx.json").read_text("utf-8"))
    assert (parts["bomFormat"], parts["metadata"]["component"]["version"]) == ("CycloneDX", __version__)
    found = {canonicalize_name(one["name"]): one["version"] for one in parts["components"]}
    assert found == pinned((ROOT / "requirements.lock").read_text("utf-8"))
    assert all(one["purl"].startswith("pkg:pypi/") for one in parts["components"])
    assert len([one for one in parts["components"] if not one.get("licenses")]) <= 3
    refs = {one["bom-ref"] for one in parts["components"]}
    assert all(refs >= set(one.get("dependsOn", ())) for one in parts["dependencies"])


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
