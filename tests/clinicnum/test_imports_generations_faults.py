"""Generations made elsewhere that are wrong: the fault names the row, and no file is left."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from clinicnum.imports.inspect_ai_log import LARGEST_SAMPLE
from clinicnum.io.jsonl import read_jsonl
from clinicnum.scripts.cli import run_command
from clinicnum.types import Generation
from tests.clinicnum.importing import IMPORTED, generations_command, import_items, questions, robbench


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return robbench(tmp_path_factory.mktemp("robbench"))


def plain(**fields: Any) -> str:
    return json.dumps(fields) + "\n"


def log_zip(name: str, content: bytes) -> bytes:
    """A zip of one file, packed as well as it can be."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return whole.getvalue()


REAL = (IMPORTED / "inspect.eval").read_bytes()
SAMPLE: dict[str, Any] = {"id": 1, "epoch": 1, "input": "?", "output": {"choices": []}}
FAULTS: dict[str, tuple[str, str | bytes, str]] = {
    "an unknown id": (
        "jsonl",
        plain(instance_id="none", text="1"),
        "instance_id is 'none'; expected the id of an inst",
    ),
    "an id of another type": (
        "jsonl",
        plain(instance_id=[1], text="1"),
        "instance_id is [1]; expected an instance's id",
    ),
    "an unknown question": (
        "jsonl",
        plain(question="?", text="1"),
        ":1: row 1: its question, '?', is that of no instance",
    ),
    "nothing that tells the instance": ("jsonl", plain(text="1"), "holds no text of what was asked"),
    "no text": ("jsonl", plain(question="?"), "has no text; got 'question'; name a field"),
    "a number for a text": ("jsonl", plain(question="?", text=1), "text is 1; expected a text"),
    "a reason that is none": ("jsonl", plain(text="1", finish_reason="tired"), "finish_reason is 'tired'"),
    "an error without a reason": (
        "jsonl",
        plain(text="1", finish_reason="error"),
        "expected a reason in `error`",
    ),
    "tokens below zero": ("jsonl", plain(text="1", prompt_tokens=-1), "prompt_tokens is -1"),
    "an endless latency": ("jsonl", '{"text": "1", "latency_s": Infinity}', "latency_s is inf"),
    "not JSON": ("jsonl", "a,b\n", "not JSON"),
    "an empty file": ("jsonl", "", "is empty"),
    "empty lines": ("jsonl", "\n\n", "is empty"),
    "a table without texts": ("clinicnumrobbench", "question,answer\nq,1\n", "no column 'generated_text'"),
    "tokens in words": (
        "clinicnumrobbench",
        "question,generated_text,num_output_tokens\nq,t,many\n",
        "num_output_tokens is 'many'",
    ),
    "a table with no answer yet": (
        "clinicnumrobbench",
        "question,generated_text\nq,\n",
        "holds no answer",
    ),
    "samples of likelihoods": (
        "lm-eval",
        (IMPORTED / "lm_eval_likelihood.jsonl").read_bytes(),
        ":1: row 1: resps holds 3 requests",
    ),
    "a sample without answers": ("lm-eval", plain(doc_id=1, doc={}, arguments={}), "resps is missing"),
    "a log cut off": ("inspect", REAL[:3000], "not a zip that can be read"),
    "a log with a flipped byte": (
        "inspect",
        REAL[:1500] + b"\xff\xff\xff" + REAL[1503:],
        "not a zip that can be read",
    ),
    "a zip of something else": (
        "inspect",
        log_zip("a.txt", b"x"),
        "is a zip archive; expected a table",
    ),
    "a sample that is no JSON": (
        "inspect",
        log_zip("samples/1.json", b"x"),
        "samples/1.json: row 1: not JSON",
    ),
    "a sample that unpacks to more than one holds": (
        "inspect",
        log_zip("samples/1.json", b" " * (LARGEST_SAMPLE + 1)),
        "samples/1.json unpacks to more than a sample holds",
    ),
    "a log that is no log": ("inspect", "{}", "samples is missing"),
    "a log without samples": ("inspect", '{"samples": []}', "holds no samples"),
    "a sample with a list for its id": (
        "inspect",
        json.dumps({"samples": [SAMPLE | {"id": []}]}),
        "id is []",
    ),
    "a sample without output": (
        "inspect",
        json.dumps({"samples": [{"id": 1, "input": "?"}]}),
        "sample 1 epoch None: row 1: output is missing",
    ),
    "a sample of no instance": ("inspect", json.dumps({"samples": [SAMPLE]}), "is that of no instance"),
    "two epochs": (
        "inspect",
        (IMPORTED / "inspect_two_epochs.json").read_bytes(),
        "sample 'q1' epoch 2: row 5: instance",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_one_line_and_leaves_no_file(
    fault: str, bench: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name, content, said = FAULTS[fault]
    source = tmp_path / "source"
    source.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert run_command(generations_command(name, source, bench, tmp_path / "out.jsonl")) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert said in lines[0]
    assert len(lines[0]) < 700
    assert [path.name for path in tmp_path.iterdir()] == ["source"]


def test_two_answers_to_one_instance_name_both_rows(
    bench: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = next(iter(questions(bench)))
    (tmp_path / "g.jsonl").write_text(plain(instance_id=name, text="1") * 2)
    assert run_command(generations_command("jsonl", tmp_path / "g.jsonl", bench, tmp_path / "o")) == 2
    assert f":2: row 2: instance '{name}' again, first in row 1" in capsys.readouterr().err


def test_a_question_of_two_instances_wants_an_id(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "t.jsonl").write_text(
        plain(id=1, question="q", points=["a"]) + plain(id=2, question="q", points=["a"])
    )
    import_items("text", tmp_path / "t.jsonl", tmp_path / "bench.jsonl")
    (tmp_path / "g.jsonl").write_text(plain(question="q", text="1", item=2))
    capsys.readouterr()
    command = generations_command(
        "jsonl", tmp_path / "g.jsonl", tmp_path / "bench.jsonl", tmp_path / "out.jsonl"
    )
    assert run_command(command) == 2
    assert "that of several instances, 1 and 2 among them" in capsys.readouterr().err
    assert run_command([*command, "--id-field", "item"]) == 0
    assert [g.instance_id for g in read_jsonl(tmp_path / "out.jsonl", Generation)] == ["2"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--epoch", "2"), "the format jsonl has no use for an option given; leave it out (--epoch)"),
        (
            ("--format", "html"),
            "the format 'html' does not exist; expected one of clinicnumrobbench, ",
        ),
        (("--model-name", " "), "the model is called ' '; expected the model's name"),
        (("--scores", "s.jsonl"), "jsonl keeps no judgements"),
        (("--out", "no/where.jsonl"), "expected a file in a folder that exists"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    more: tuple[str, ...], said: str, bench: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "g.jsonl").write_text(plain(instance_id="x", text="1"))
    assert run_command(generations_command("jsonl", tmp_path / "g.jsonl", bench, tmp_path / "o", *more)) == 2
    assert said in capsys.readouterr().err


def test_a_benchmark_that_was_changed_is_refused(
    bench: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed = tmp_path / "bench.jsonl"
    changed.write_text(bench.read_text().replace("104", "105"))
    (tmp_path / "bench.jsonl.meta.json").write_bytes(bench.with_name("bench.jsonl.meta.json").read_bytes())
    (tmp_path / "g.jsonl").write_text(plain(instance_id="x", text="1"))
    assert run_command(generations_command("jsonl", tmp_path / "g.jsonl", changed, tmp_path / "o")) == 2
    assert "differs from the file that its .meta.json describes" in capsys.readouterr().err
