"""Generations made elsewhere: each finds its instance, nothing is made up, faults name the row."""

import io
import json
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from clinicnum.annotations.reconstructed_prompt import NOT_OURS, asked_of
from clinicnum.imports.inspect_ai_log import LARGEST_SAMPLE
from clinicnum.inference.model_metadata import asks_form
from clinicnum.io.jsonl import read_jsonl, read_meta, sha256_file
from clinicnum.prompt import messages_for
from clinicnum.scripts.cli import run_command
from clinicnum.types import Generation, Instance, Score
from tests.clinicnum.importing import IMPORTED, generations_command, import_items
from tests.open_data import MEDCALC, MEDCALC_ANSWERS, figure


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The four questions that the logs in `imported` answer."""
    out = tmp_path_factory.mktemp("robbench") / "bench.jsonl"
    import_items("clinicnumrobbench", IMPORTED / "robbench.csv", out)
    return out


def questions(bench: Path) -> dict[str, str]:
    return {instance.instance_id: instance.question for instance in read_jsonl(bench, Instance)}


def imported(name: str, source: Path, bench: Path, *more: str) -> list[Generation]:
    out = source.parent / "out.jsonl" if source.parent != IMPORTED else bench.parent / "out.jsonl"
    assert run_command(generations_command(name, source, bench, out, *more)) == 0
    return list(read_jsonl(out, Generation))


def test_stored_answers_of_medcalc_bench_row_by_row(tmp_path: Path) -> None:
    known = import_items("medcalc", MEDCALC, tmp_path / "bench.jsonl")
    out, scores = tmp_path / "generations.jsonl", tmp_path / "scores.jsonl"
    bench = tmp_path / "bench.jsonl"
    command = generations_command("medcalc", MEDCALC_ANSWERS, bench, out, "--scores", str(scores))
    assert run_command(command) == 0
    stored = [json.loads(line) for line in MEDCALC_ANSWERS.read_text(encoding="utf-8").splitlines()]
    made = list(read_jsonl(out, Generation))
    judged = {score.generation_id: score for score in read_jsonl(scores, Score)}
    assert len(made) == len(judged) == len(stored) == figure(subset=62, whole=1047)
    back = [
        {
            "Row Number": int(known[generation.instance_id].slots["Row Number"]),
            "Note ID": known[generation.instance_id].slots["Note ID"],
            "Calculator ID": known[generation.instance_id].slots["Calculator ID"],
            "LLM Answer": generation.text,
            "Result": "Correct" if judged[generation.generation_id].lenient else "Incorrect",
        }
        for generation in made
    ]
    assert back == [{name: line[name] for name in back[0]} for line in stored]
    assert Counter(row["Result"] for row in back) == figure(
        subset={"Correct": 17, "Incorrect": 45}, whole={"Correct": 216, "Incorrect": 831}
    )
    for path in (out, scores):
        meta = read_meta(path)
        assert meta is not None
        assert meta["sha256"] == sha256_file(path)
        assert meta["benchmark_sha256"] == sha256_file(tmp_path / "bench.jsonl")
        assert meta["source_sha256"] == sha256_file(MEDCALC_ANSWERS)


def medcalc_case(folder: Path, **changes: Any) -> tuple[Path, Path]:
    """A benchmark of one item, and one stored answer to it."""
    item = {
        **{"Row Number": 1, "Calculator ID": "2", "Calculator Name": "CrCl", "Category": "lab"},
        **{"Output Type": "decimal", "Note ID": "pmc-1", "Note Type": "Extracted", "Patient Note": "A note."},
        **{
            "Question": "CrCl?",
            "Relevant Entities": "{}",
            "Ground Truth Answer": "25.2",
            "Lower Limit": "24",
        },
        **{"Upper Limit": "26.4", "Ground Truth Explanation": "So."},
    }
    (folder / "m.csv").write_text(",".join(item) + "\n" + ",".join(map(str, item.values())) + "\n")
    import_items("medcalc", folder / "m.csv", folder / "bench.jsonl")
    answer = item | {"LLM Answer": "25", "LLM Explanation": "N/A", "Result": "Correct"} | changes
    (folder / "a.jsonl").write_text(json.dumps(answer) + "\n")
    return folder / "a.jsonl", folder / "bench.jsonl"


@pytest.mark.parametrize(
    "message",
    ["name 'N' is not defined", "cannot access local variable 'x' where it is not associated with a value"],
)
def test_an_error_in_the_place_of_a_stored_answer_is_a_failed_sample(tmp_path: Path, message: str) -> None:
    source, bench = medcalc_case(tmp_path, **{"LLM Answer": message, "Result": "Incorrect"})
    (made,) = imported("medcalc", source, bench)
    assert (made.finish_reason, made.error) == ("error", message)


def test_reasoning_that_is_stored_stays_with_its_answer(tmp_path: Path) -> None:
    source, bench = medcalc_case(tmp_path, **{"LLM Explanation": "140 - 87"})
    (made,) = imported("medcalc", source, bench)
    assert json.loads(made.text) == {"step_by_step_thinking": "140 - 87", "answer": "25"}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"Row Number": 2}, ":1: row 1: Row Number 2 is no row of the benchmark"),
        ({"Patient Note": "Another."}, "Patient Note is 'Another.'; expected 'A note.', as in row 1"),
        ({"Ground Truth Answer": "26"}, "Ground Truth Answer is '26'; expected '25.2'"),
        ({"Result": "Maybe"}, "Result is 'Maybe'; expected Correct or Incorrect"),
        ({"LLM Answer": 25}, "LLM Answer is 25; expected a text; correct it"),
    ],
)
def test_stored_answers_to_another_benchmark_are_refused(
    changes: dict[str, Any], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, bench = medcalc_case(tmp_path, **changes)
    capsys.readouterr()
    assert run_command(generations_command("medcalc", source, bench, tmp_path / "out.jsonl")) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out.jsonl").exists()


def test_robbench_output_leaves_rows_out_that_are_still_blank(bench: Path) -> None:
    made = imported("clinicnumrobbench", IMPORTED / "robbench_output.csv", bench)
    assert [g.instance_id for g in made] == list(questions(bench))[:3]
    assert [g.text for g in made] == [
        '{"answer": 104}',
        '118 - 76 = 42\n\n{"answer": 42}',
        '{"answer": 1.02}',
    ]
    assert [g.thinking for g in made] == [None, None, "104 / 102 = 1.0196"]
    assert [(g.prompt_tokens, g.completion_tokens) for g in made] == [(210, 8), (211, 9), (212, 10)]
    meta = read_meta(bench.parent / "out.jsonl")
    assert meta is not None
    assert (meta["client"], meta["model"], meta["n_generations"], meta["n_without"]) == (
        "import",
        "some-model",
        3,
        1,
    )


@pytest.mark.parametrize("more", [(), ("--id-field", "doc.id")], ids=["by text", "by id"])
def test_lm_eval_samples_once_whatever_the_filters(
    more: tuple[str, ...], bench: Path, tmp_path: Path
) -> None:
    if more:  # The log knows the questions as q1 to q4.
        renamed = [
            i.model_copy(update={"instance_id": f"q{n}"})
            for n, i in enumerate(read_jsonl(bench, Instance), 1)
        ]
        bench = tmp_path / "bench.jsonl"
        bench.write_text("".join(f"{one.model_dump_json()}\n" for one in renamed))
    made = imported("lm-eval", IMPORTED / "lm_eval_samples.jsonl", bench, *more)
    assert [g.instance_id for g in made] == list(questions(bench))
    assert made[0].text == "The heart rate of the patient at 2180-05-10 07:30:00 is 98."
    assert made[1].text == "The pulse pressure at 2180-05-10 06:27:00 is 102.15"


def test_inspect_zip_and_its_outcomes(bench: Path) -> None:
    made = imported("inspect", IMPORTED / "inspect.eval", bench)
    assert [g.instance_id for g in made] == list(questions(bench))
    assert [g.text for g in made] == ['{"answer": 104}', '{"answer": 42}', "The shock index is 104 / 102", ""]
    assert [g.thinking for g in made] == [None, "118 - 76 is 42.", None, None]
    assert [g.finish_reason for g in made] == ["stop", "stop", "length", "error"]
    assert [g.error for g in made] == [None, None, None, "RuntimeError('the server is down')"]
    assert [(g.prompt_tokens, g.completion_tokens) for g in made[:3]] == [(210, 6), (205, 14), (214, 9)]


def test_inspect_json_says_what_the_zip_says(bench: Path) -> None:
    fields = {"text", "thinking", "finish_reason", "error", "instance_id", "prompt_tokens"}
    told = [
        [g.model_dump(include=fields) for g in imported("inspect", IMPORTED / name, bench, "--epoch", "1")]
        for name in ("inspect.eval", "inspect_two_epochs.json")
    ]
    assert told[0] == told[1]


def test_plain_jsonl_by_id_by_message_and_by_question(bench: Path, tmp_path: Path) -> None:
    items = list(read_jsonl(bench, Instance))
    lines: list[dict[str, Any]] = [
        {"instance_id": items[0].instance_id, "text": " 104\r\n", "latency_s": 1.5, "ignored": [1]},
        {"prompt": messages_for(items[1])[1]["content"], "text": "42"},
        {"context": items[2].context.replace("\n", "\r\n"), "question": items[2].question, "text": "1"},
        {"question": items[3].question, "finish_reason": "error", "error": "timed out"},
    ]
    source = tmp_path / "g.jsonl"
    source.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    made = imported("jsonl", source, bench)
    assert [g.instance_id for g in made] == [item.instance_id for item in items]
    assert [g.text for g in made] == [" 104\r\n", "42", "1", ""]
    assert (made[0].latency_s, made[3].error) == (1.5, "timed out")


def test_ids_follow_from_model_file_and_benchmark(bench: Path, tmp_path: Path) -> None:
    source = tmp_path / "g.jsonl"
    source.write_text(json.dumps({"instance_id": next(iter(questions(bench))), "text": "1"}) + "\n")
    first, again = imported("jsonl", source, bench), imported("jsonl", source, bench)
    (other,) = imported("jsonl", source, bench, "--model-name", "another")
    assert first == again
    assert first[0].run_id != other.run_id
    source.write_text(source.read_text().replace('"1"', '"2"'))
    assert imported("jsonl", source, bench)[0].run_id != first[0].run_id


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


def test_a_run_made_elsewhere_with_our_prompts_is_one_of_which_they_are_known(bench: Path) -> None:
    given = bench.parent / "own.jsonl"
    lines = [json.dumps({"instance_id": key, "text": "1"}) for key in questions(bench)]
    given.write_text("\n".join(lines) + "\n")
    metas = []
    for more in ((), ("--own-prompts",)):
        imported("jsonl", given, bench, *more)
        metas.append(read_meta(given.parent / "out.jsonl") or {})
    one = next(iter(read_jsonl(bench, Instance)))
    found = [asked_of(one, run_meta=meta, benchmark_meta={}) for meta in metas]
    assert found[0].unknown == NOT_OURS
    assert "".join(found[1].turns[-1].parts) in messages_for(one)[-1]["content"].replace(one.context, "")
    assert [asks_form(meta) for meta in metas] == [False, True]
    assert metas[0]["run_id"] != metas[1]["run_id"]
