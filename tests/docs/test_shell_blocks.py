"""The shell blocks of every page run in bash, one after the other, in a folder that holds what they name."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from clinicnum.scripts.dev.gpu_evidence.random_weights import make_model
from tests.clinicnum.serving import free_port
from tests.docs.material import make_material
from tests.docs.page_runner import lay_out, run_page
from tests.docs.settings import SETTINGS, Setting
from tests.docs.shell import Shell, shell
from tests.docs.who_runs import pages_of_shell

Served = Callable[[Path], str]


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    with shell(tmp_path_factory.mktemp("commands")) as running:
        yield running


@pytest.fixture(scope="module")
def material(commands: Shell, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("material")
    make_material(folder, commands)
    return folder


@pytest.fixture(scope="module")
def tiny_model(small_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Random weights with the small model's tokenizer: whatever it says, it says it at once."""
    return make_model(tmp_path_factory.mktemp("models") / "tiny", "tiny", 0, "cpu", small_model)


@pytest.fixture(scope="module")
def server(commands: Shell, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Starts a real server of a model, once for each; what it returns is the address."""
    running = []

    @cache
    def serve(model: Path) -> str:
        port, folder = free_port(), tmp_path_factory.mktemp("served")
        running.append(commands.serve_model(model, port, folder))
        return f"http://127.0.0.1:{port}/v1"

    yield serve
    for process in running:
        process.terminate()
        process.wait()


def named(setting: Setting, model: Path, small: Path, serve: Served) -> Setting:
    """The setting with the names of this test."""
    names = {"{model}": str(model), "{small}": str(small)}
    if "{server}" in "".join(setting.swaps.values()):
        names["{server}"] = serve(model)
    return replace(setting, swaps={pattern: _named(text, names) for pattern, text in setting.swaps.items()})


def _named(text: str, names: dict[str, str]) -> str:
    for place, name in names.items():
        text = text.replace(place, name)
    return text


@pytest.mark.parametrize("page", pages_of_shell())
def test_the_shell_blocks_of_a_page_run(
    page: str,
    commands: Shell,
    material: Path,
    small_model: Path,
    tiny_model: Path,
    server: Served,
    request: pytest.FixtureRequest,
    tmp_path: Path,
) -> None:
    setting = SETTINGS.get(page, Setting())
    environment = {}
    if setting.postgres:
        environment = {"PGHOST": str(request.getfixturevalue("postgres_folder")), "PGUSER": "clinicnum"}
    lay_out(page, setting, tmp_path, material)
    own = named(setting, small_model if setting.small_model else tiny_model, small_model, server)
    assert run_page(page, own, tmp_path, commands, environment) > 0
