"""Small valid files of what is read, made by the project itself. Each is path -> content."""

import gzip
import io
import json
import os
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from clinicnum.io.benchmark import read_benchmark
from clinicnum.types import Generation, Instance
from tests.clinicnum.importing import IMPORTED
from tests.fuzz.seed_items import (
    CHOICE,
    HEALTHBENCH,
    LABELS,
    MEDCALC_ITEM,
    MEDEC_ITEM,
    NOTE,
    POINTS,
    STATE,
    TASK,
    lines,
    table,
)

__all__ = [
    "CHOICE",
    "HEALTHBENCH",
    "LABELS",
    "MEDCALC_ITEM",
    "MEDEC_ITEM",
    "NOTE",
    "POINTS",
    "STATE",
    "TASK",
    "lines",
    "table",
]
Files = dict[str, bytes]


@cache
def made() -> Files:
    """A benchmark with a variant, answers, scores and suggestions with their metas, by the commands."""
    from clinicnum.scripts.cli import run_command

    quota = "retrieval=1,arithmetic=1,comparison=1,aggregation=1"
    with tempfile.TemporaryDirectory() as name, _quiet():
        folder = Path(name)
        bench, answers = folder / "bench.jsonl", folder / "generations.jsonl"
        options = ["--quota", quota, "--representation", "structured", "--variants", "input.typo"]
        assert run_command(["generate", *options, "--out", str(bench)]) == 0
        known = read_benchmark(bench)
        given = lines(
            *(
                {"instance_id": key, "text": f"So 110 - 70 = {n}.\n" + json.dumps({"answer": n})}
                for n, key in enumerate(known)
            )
        )
        (folder / "given.jsonl").write_bytes(given)
        source = ["--from", str(folder / "given.jsonl"), "--benchmark", str(bench), "--model-name", "m"]
        assert (
            run_command(["import", "generations", "--format", "jsonl", *source, "--out", str(answers)]) == 0
        )
        pair = [
            "--benchmark",
            str(bench),
            "--generations",
            str(answers),
            "--out",
            str(folder / "scores.jsonl"),
        ]
        assert run_command(["score", *pair, "--suggestions", str(folder / "suggestions.jsonl")]) == 0
        return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


class _quiet:  # noqa: N801  # used like a function
    """Nothing of the commands on the terminal."""

    def __enter__(self) -> None:
        import contextlib

        self._out = contextlib.ExitStack()
        null = self._out.enter_context(open(os.devnull, "w", encoding="utf-8"))
        self._out.enter_context(contextlib.redirect_stdout(null))
        self._out.enter_context(contextlib.redirect_stderr(null))

    def __exit__(self, *_: object) -> None:
        self._out.close()


@cache
def known() -> dict[str, Instance]:
    """The instances of `made`."""
    return {
        one.instance_id: one for one in map(Instance.model_validate_json, made()["bench.jsonl"].splitlines())
    }


def a_generation() -> Generation:
    """One of `made`."""
    return Generation.model_validate_json(made()["generations.jsonl"].splitlines()[0])


def only(name: str) -> Files:
    """One file of `made`, with its meta if it has one."""
    return {key: content for key, content in made().items() if key in (name, f"{name}.meta.json")}


def vitals() -> Files:
    """A ward's table for `--source csv`."""
    row = {
        "subject_id": "1",
        "stay_id": "2",
        "charttime": "2150-01-01 08:00:00",
        "HR": "88",
        "Temp (°F)": "98.6",
    }
    more = {"SBP": "120", "DBP": "70", "age": "63", "sex": "F"}
    return {"ward.csv": table(row | more, row | more | {"charttime": "2150-01-01 09:00:00", "HR": "110"})}


COLUMNS = "heart_rate_bpm=HR,temperature_c=Temp (°F),sbp_mmhg=SBP,dbp_mmhg=DBP,age_years=age,gender=sex"


def mimic(*, packed: bool) -> Files:
    """The three tables of MIMIC-IV-ED, plain or gzip."""
    signs = {
        "temperature": "98.6",
        "heartrate": "88",
        "resprate": "16",
        "o2sat": "97",
        "sbp": "120",
        "dbp": "70",
    }
    stay = {"subject_id": "10", "stay_id": "20"}
    row = stay | {"charttime": "2150-01-01 08:00:00"} | signs | {"pain": "3"}
    patient = {"subject_id": "10", "gender": "F", "anchor_age": "60", "anchor_year": "2148"}
    found = {
        "ed/vitalsign.csv": table(
            row,
            row | {"charttime": "2150-01-01 09:00:00", "pain": "asleep", "heartrate": "112", "sbp": "101"},
        ),
        "ed/edstays.csv": table(stay),
        "hosp/patients.csv": table(patient),
        "demo_subject_id.csv": table({"subject_id": "10"}),
    }
    return (
        {f"{name}.gz": gzip.compress(content, mtime=0) for name, content in found.items()}
        if packed
        else found
    )


def fixture(name: str) -> Files:
    """A file that another program wrote, kept with the tests of imports."""
    return {name: (IMPORTED / name).read_bytes()}


@cache
def answered() -> dict[str, Instance]:
    """The instances that the logs in `fixture` answer."""
    from clinicnum.imports.import_items import Items
    from clinicnum.io.text_lines import no_progress

    items = Items(IMPORTED / "robbench.csv", "clinicnumrobbench", prompt_id=None, open_data=False)
    return {one.instance_id: one for one in items.read(no_progress)}


def inspect_json() -> Files:
    """The samples of the fixture, without all that is left aside."""
    whole: dict[str, Any] = json.loads((IMPORTED / "inspect_two_epochs.json").read_bytes())
    kept = ("id", "epoch", "input", "output", "error", "metadata", "attachments")
    samples = [{key: one[key] for key in kept if key in one} for one in whole["samples"] if one["epoch"] == 1]
    return {"log.json": json.dumps({"version": 2, "samples": samples}).encode()}


def hidden() -> Files:
    """Two contexts' hidden states."""
    import numpy as np

    out = io.BytesIO()
    np.save(out, np.zeros((2, 4), dtype=np.float32))
    rows = lines({"row": 0, "instance_ids": ["a"]}, {"row": None, "instance_ids": ["b"], "reason": "empty"})
    return {"h.npy": out.getvalue(), "h.npy.rows.jsonl": rows, "h.npy.meta.json": b'{"model": "m"}'}


def reply() -> Files:
    """What an OpenAI-compatible server answers."""
    token = {"token": "110", "logprob": -0.1, "bytes": [49, 49, 48]}
    choice = {
        "message": {"content": "110", "reasoning": "so"},
        "finish_reason": "stop",
        "logprobs": {"content": [token]},
    }
    return {
        "body.json": json.dumps(
            {"choices": [choice], "usage": {"prompt_tokens": 3, "completion_tokens": 1}}
        ).encode()
    }


def refusal() -> Files:
    """What it answers where it refuses."""
    error = {"error": {"message": "too long", "type": "x"}, "detail": [{"loc": ["body", 0], "msg": "no"}]}
    return {"body.json": json.dumps(error).encode()}


def config() -> Files:
    """What a model's folder says of itself."""
    whole = {
        "max_position_embeddings": 8192,
        "_commit_hash": "0" * 40,
        "text_config": {"max_position_embeddings": 1},
    }
    noted = f"{'a' * 40}\n0\n".encode()
    return {
        "config.json": json.dumps(whole).encode(),
        ".cache/huggingface/download/config.json.metadata": noted,
        "tokenizer_config.json": b'{"chat_template": "{{ messages }} {{ effort }} {{ tools_list }}"}',
        "arguments.txt": b'effort=low\ntools_list=[{"name": 1}]\n',
    }


def medcalc_answer() -> bytes:
    """A stored answer to `MEDCALC_ITEM`."""
    more = {"LLM Answer": "25", "LLM Explanation": "140 - 87", "Result": "Correct", "Row Number": 1}
    return lines(MEDCALC_ITEM | more)


def plain_answers() -> bytes:
    """Answers to `made` as plain JSONL."""
    more = {
        "finish_reason": "stop",
        "prompt_tokens": 3,
        "completion_tokens": 2,
        "latency_s": 0.5,
        "thinking": "so",
    }
    return lines(*({"instance_id": key, "text": '{"answer": 1}'} | more for key in known()))


def potato() -> Files:
    """One annotator's folder of Potato."""
    return {"given/ann/user_state.json": json.dumps(STATE).encode()}


def interval_labels() -> Files:
    """Numbers as labels."""
    return {"labels.csv": b"item,annotator,label\na,ann,1\na,ben,2.5\nb,ann,3\nb,ben,3\nc,ann,0\nc,ben,1\n"}
