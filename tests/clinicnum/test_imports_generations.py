"""Generations made elsewhere: each finds its instance, and nothing is made up."""

import json
from pathlib import Path
from typing import Any

import pytest

from clinicnum.annotations.reconstructed_prompt import NOT_OURS, asked_of
from clinicnum.inference.model_metadata import asks_form
from clinicnum.io.jsonl import read_jsonl, read_meta
from clinicnum.prompt import messages_for
from clinicnum.types import Instance
from tests.clinicnum.importing import IMPORTED, import_generations, questions, robbench


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return robbench(tmp_path_factory.mktemp("robbench"))


def test_robbench_output_leaves_rows_out_that_are_still_blank(bench: Path) -> None:
    made = import_generations("clinicnumrobbench", IMPORTED / "robbench_output.csv", bench)
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
    made = import_generations("lm-eval", IMPORTED / "lm_eval_samples.jsonl", bench, *more)
    assert [g.instance_id for g in made] == list(questions(bench))
    assert made[0].text == "The heart rate of the patient at 2180-05-10 07:30:00 is 98."
    assert made[1].text == "The pulse pressure at 2180-05-10 06:27:00 is 102.15"


def test_inspect_zip_and_its_outcomes(bench: Path) -> None:
    made = import_generations("inspect", IMPORTED / "inspect.eval", bench)
    assert [g.instance_id for g in made] == list(questions(bench))
    assert [g.text for g in made] == ['{"answer": 104}', '{"answer": 42}', "The shock index is 104 / 102", ""]
    assert [g.thinking for g in made] == [None, "118 - 76 is 42.", None, None]
    assert [g.finish_reason for g in made] == ["stop", "stop", "length", "error"]
    assert [g.error for g in made] == [None, None, None, "RuntimeError('the server is down')"]
    assert [(g.prompt_tokens, g.completion_tokens) for g in made[:3]] == [(210, 6), (205, 14), (214, 9)]


def test_inspect_json_says_what_the_zip_says(bench: Path) -> None:
    fields = {"text", "thinking", "finish_reason", "error", "instance_id", "prompt_tokens"}
    told = [
        [
            g.model_dump(include=fields)
            for g in import_generations("inspect", IMPORTED / name, bench, "--epoch", "1")
        ]
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
    made = import_generations("jsonl", source, bench)
    assert [g.instance_id for g in made] == [item.instance_id for item in items]
    assert [g.text for g in made] == [" 104\r\n", "42", "1", ""]
    assert (made[0].latency_s, made[3].error) == (1.5, "timed out")


def test_ids_follow_from_model_file_and_benchmark(bench: Path, tmp_path: Path) -> None:
    source = tmp_path / "g.jsonl"
    source.write_text(json.dumps({"instance_id": next(iter(questions(bench))), "text": "1"}) + "\n")
    first, again = import_generations("jsonl", source, bench), import_generations("jsonl", source, bench)
    (other,) = import_generations("jsonl", source, bench, "--model-name", "another")
    assert first == again
    assert first[0].run_id != other.run_id
    source.write_text(source.read_text().replace('"1"', '"2"'))
    assert import_generations("jsonl", source, bench)[0].run_id != first[0].run_id


def test_a_run_made_elsewhere_with_our_prompts_is_one_of_which_they_are_known(bench: Path) -> None:
    given = bench.parent / "own.jsonl"
    lines = [json.dumps({"instance_id": key, "text": "1"}) for key in questions(bench)]
    given.write_text("\n".join(lines) + "\n")
    metas = []
    for more in ((), ("--own-prompts",)):
        import_generations("jsonl", given, bench, *more)
        metas.append(read_meta(given.parent / "out.jsonl") or {})
    one = next(iter(read_jsonl(bench, Instance)))
    found = [asked_of(one, run_meta=meta, benchmark_meta={}) for meta in metas]
    assert found[0].unknown == NOT_OURS
    assert "".join(found[1].turns[-1].parts) in messages_for(one)[-1]["content"].replace(one.context, "")
    assert [asks_form(meta) for meta in metas] == [False, True]
    assert metas[0]["run_id"] != metas[1]["run_id"]
