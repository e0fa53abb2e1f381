"""`clinicnum run` as a user meets it: bad input, data that may not leave, long prompts, dry runs."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from clinicnum.inference.generations_journal import complete_lines
from clinicnum.io.jsonl import meta_path, read_meta, write_jsonl
from clinicnum.scripts.cli import run_command
from tests.clinicnum.answering import records
from tests.runs.conftest import COUNT, SETTINGS, questions

ELSEWHERE = "http://models.example.org:8000/v1"
NOBODY = "http://127.0.0.1:9/v1"
NOT_LOOPBACK = "http://0.0.0.0:9/v1"
"""An address that does not count as this machine's, though nothing leaves it."""


def _fails(capfd: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run a command that must end with exit code 2 and one line; return the line."""
    capfd.readouterr()
    code = run_command(arguments)
    written = capfd.readouterr()
    lines = written.err.strip().splitlines()
    assert (code, written.out, len(lines)) == (2, "", 1), written
    assert lines[0].startswith("error: ")
    return lines[0]


def _run(bench: Path, model: object, out: Path, *more: str) -> tuple[str, ...]:
    return ("run", "--benchmark", str(bench), "--model", str(model), "--out", str(out), *more)


def test_bad_input_is_one_line_and_leaves_no_file(
    tmp_path: Path, bench: Path, small_model: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out, missing = tmp_path / "g.jsonl", tmp_path / "no"
    assert "no such folder" in _fails(capfd, *_run(bench, missing, out))
    assert "no such file" in _fails(capfd, *_run(missing, small_model, out))
    assert "does not exist; make it or name another --out" in _fails(
        capfd, *_run(bench, small_model, missing / "g.jsonl")
    )
    assert "is a folder" in _fails(capfd, *_run(bench, small_model, tmp_path))
    assert "'telepathy' is not" in _fails(capfd, *_run(bench, small_model, out, "--client", "telepathy"))
    assert "--concurrency: belongs to a server" in _fails(
        capfd, *_run(bench, small_model, out, "--concurrency", "8")
    )
    (tmp_path / "broken").mkdir()
    for name in ("config.json", "tokenizer_config.json", "model.safetensors"):
        (tmp_path / "broken" / name).write_text("{}")
    assert "cannot load it" in _last_line(capfd, *_run(bench, tmp_path / "broken", out))
    assert "there is nothing to merge" in _fails(capfd, "merge", "--out", str(out))
    given, to = ("--generations", str(bench)), ("--out", str(out))
    assert "no such file" in _fails(capfd, "score", "--benchmark", str(missing), *given, *to)
    assert "not a valid generation" in _fails(capfd, "score", "--benchmark", str(bench), *given, *to)
    assert [path.name for path in tmp_path.iterdir()] == ["broken"]


def _last_line(capfd: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run a command that must end with exit code 2, after it has said what it does; return the error."""
    assert run_command(arguments) == 2
    *_, last = capfd.readouterr().err.strip().splitlines()
    assert last.startswith("error: ")
    return last


def test_another_run_is_not_continued(
    bench: Path, unbroken: Path, small_model: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    before = unbroken.read_bytes(), meta_path(unbroken).read_bytes()
    run = _run(bench, small_model, unbroken, "--dtype", "float32")
    assert "decoding was {'max_new_tokens': 6" in _fails(capfd, *run, "--max-new-tokens", "13")
    asked = ("--max-new-tokens", "6", "--dtype", "bfloat16")
    assert "dtype was 'float32' and is 'bfloat16' now" in _fails(
        capfd, *_run(bench, small_model, unbroken, *asked)
    )
    assert (unbroken.read_bytes(), meta_path(unbroken).read_bytes()) == before


def test_a_server_is_asked_for_what_it_takes(
    tmp_path: Path, bench: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    run = _run(bench, "some-model", tmp_path / "g.jsonl", "--client", "openai")
    assert "--base-url: missing" in _fails(capfd, *run)
    server = (*run, "--base-url", NOBODY)
    assert "--dtype: is the server's own choice" in _fails(capfd, *server, "--dtype", "float32")
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    assert "NO_SUCH_KEY: not set" in _fails(capfd, *server, "--api-key-env", "NO_SUCH_KEY")
    monkeypatch.setenv("SECRET_KEY", "sk-very-secret")
    said = _fails(capfd, *server, "--api-key-env", "SECRET_KEY")
    assert "127.0.0.1:9" in said
    assert "cannot be reached" in said
    assert "sk-very-secret" not in said
    assert list(tmp_path.iterdir()) == []


OPEN: dict[str, Any] = {"credentialed": False}
CLOSED: dict[str, tuple[dict[str, Any] | None, str, str]] = {
    "credentialed data": ({"credentialed": True}, "synthetic", "is not marked as open"),
    "a meta file that does not say": ({"seed": 0}, "synthetic", "is not marked as open"),
    "no meta file": (None, "synthetic", "has no meta file"),
    "records of the credentialed source": (OPEN, "mimic-iv-ed", "holds records of mimic-iv-ed"),
    "a file changed since": (OPEN, "changed", "is not the file that its meta file describes"),
}


@pytest.mark.parametrize("case", CLOSED)
def test_what_is_not_known_to_be_open_goes_to_no_server_elsewhere(
    case: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    meta, source, reason = CLOSED[case]
    bench = tmp_path / "bench.jsonl"
    shown = [record.model_copy(update={"source": source}) for record in records()]
    write_jsonl(bench, [questions(1)[0].model_copy(update={"records": tuple(shown)})], meta)
    if source == "changed":
        bench.write_text(bench.read_text().replace("first", "other"))
    run = _run(bench, "m", tmp_path / "g.jsonl", "--client", "openai", "--base-url")
    said = _fails(capfd, *run, ELSEWHERE)
    assert "models.example.org is not this machine" in said
    assert reason in said
    assert "--allow-remote" in said
    assert "0.0.0.0 is not this machine" in _fails(capfd, *run, NOT_LOOPBACK)
    # On this machine, and with leave, the server is asked (and is not there).
    assert "cannot be reached" in _fails(capfd, *run, NOBODY)
    assert "cannot be reached" in _fails(capfd, *run, NOT_LOOPBACK, "--allow-remote")


def test_prompts_that_do_not_fit_are_counted_and_a_model_without_template_works(
    tmp_path: Path, small_model: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Contexts of 2, 3 and 4 lines: the window fits the two shorter ones."""
    folder, bench, out = tmp_path / "plain", tmp_path / "bench.jsonl", tmp_path / "g.jsonl"
    write_jsonl(bench, questions(COUNT)[::3], {"seed": 0, "credentialed": True})
    folder.mkdir()
    for path in small_model.iterdir():
        if path.name not in ("config.json", "chat_template.jinja"):
            (folder / path.name).symlink_to(path)
    config = json.loads((small_model / "config.json").read_text())
    arguments = _run(bench, folder, out, "--max-new-tokens", "2")
    shutil.copy(small_model / "config.json", folder)
    longest, middle = _lengths(arguments, capfd)
    (folder / "config.json").write_text(json.dumps(config | {"max_position_embeddings": longest - 1}))
    assert middle < longest - 1
    assert run_command([*arguments, "--dry-run"]) == 0
    assert f"prompts that do not fit the model's window of {longest - 1} tokens: 1" in capfd.readouterr().out
    assert run_command(arguments) == 0
    said = capfd.readouterr().err
    assert "plain has no chat template: it is given the prompts as plain text" in said
    assert "warning: data not known to be open: " in said
    assert (read_meta(out) or {})["credentialed"] is True
    assert "1 could not be run" in said
    assert f"does not fit the model's window of {longest - 1}" in said
    found = [line.generation for line in complete_lines(out)]
    errors = [generation for generation in found if generation.finish_reason == "error"]
    assert (len(found), len(errors)) == (3, 1)
    assert all(generation.error and not generation.text for generation in errors)
    assert all(generation.text_confidence for generation in found if generation not in errors)
    assert run_command(arguments) == 0
    assert "3 of 3 are done already" in capfd.readouterr().err


def _lengths(arguments: tuple[str, ...], capfd: pytest.CaptureFixture[str]) -> tuple[int, int]:
    """Tokens of the longest prompts of all contexts, and of the first two."""
    found = []
    for more in ((), ("--limit", "2")):
        assert run_command([*arguments, *more, "--dry-run"]) == 0
        said = capfd.readouterr().out
        found.append(int(said.split("the longest ")[1].split(",")[0]))
    return found[0], found[1]


def test_a_dry_run_counts_and_estimates_and_writes_nothing(
    tmp_path: Path, bench: Path, unbroken: Path, small_model: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "g.jsonl"
    assert run_command([*_run(bench, small_model, out, *SETTINGS), "--dry-run"]) == 0
    said = capfd.readouterr().out
    assert f"{COUNT} of {COUNT} instances left" in said
    assert "counted by the model's tokenizer" in said
    assert f"at most {COUNT * 6} new tokens" in said
    assert re.search(r"time: at least [0-9]+:[0-9]{2}", said)  # how long is measured, on a busy machine too
    assert "matrix products of 135 million parameters, measured on cpu in float32" in said
    assert list(tmp_path.iterdir()) == []
    # After a start the estimate rests on its rate.
    shutil.copy(meta_path(unbroken), meta_path(out))
    out.write_bytes(b"".join(line.raw for line in list(complete_lines(unbroken))[:6]))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert run_command([*_run(bench, small_model, out, *SETTINGS), "--dry-run"]) == 0
    said = capfd.readouterr().out
    assert f"3 of {COUNT} instances left" in said
    assert f"at the rate of an earlier start of this run ({COUNT} generations in 0:" in said
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert (read_meta(out) or {})["sessions"][0]["written"] == COUNT
