"""What the fuzzer found, each as the smallest file that raised, hung or was taken for something else."""

import json
from pathlib import Path

import pytest

from clinicnum.errors import LONGEST, InputError
from clinicnum.io.strict_json import plain_json
from tests.fuzz import seeds
from tests.fuzz.judging import lay_out, outcome, read
from tests.fuzz.readers import READERS
from tests.fuzz.texts import TEXTS

BY_NAME = {reader.name: reader for reader in READERS}
TAKES = {text.name: text.take for text in TEXTS}
_LABELS = b"item,annotator,label,repeat,patient,ward\na,ann,yes,%s,p,w\n"
_TASK = json.dumps([seeds.TASK | {"annotations": 0.5}]).encode()
_DRAFT = json.dumps({"id": "x", "wording": ["\ud800"]}).encode()

FOUND: dict[str, tuple[str, str, bytes, str]] = {
    "a meta nested without end": ("suggestions", "suggestions.jsonl.meta.json", b"[" * 50_000, "not JSON"),
    "a meta with NaN": ("scores", "scores.jsonl.meta.json", b'{"n": NaN}', "not JSON"),
    "a meta with a number of 5,000 digits": ("scores", "scores.jsonl.meta.json", b"9" * 5_000, "not JSON"),
    "a note nested without end": ("notes, JSONL", "n.jsonl", b"[" * 50_000, "not JSON"),
    "a note with half a character": ("notes, JSONL", "n.jsonl", b'{"text": "\\ud800"}', "not JSON"),
    "annotations that are a number": ("labels, Label Studio", "l.json", _TASK, "no tag"),
    "tasks with a number of 5,000 digits": ("labels, Label Studio", "l.json", b"9" * 5_000, "not JSON"),
    "a pass of 20 digits": ("labels.csv", "labels.csv", _LABELS % (b"9" * 20), "repeat is"),
    "a pass of 5,000 digits": ("labels.csv", "labels.csv", _LABELS % (b"9" * 5_000), "repeat is"),
    "a pass of 5,000 digits, imported": ("labels, long", "l.csv", _LABELS % (b"9" * 5_000), "repeat is"),
    "a taxonomy of a billion laughs": ("a taxonomy", "taxonomy.yaml", b"a: &a [x]\nb: *a\n", "aliases"),
    "a taxonomy nested without end": ("a taxonomy", "taxonomy.yaml", b"a: " + b"[" * 5_000, "nested"),
    "a taxonomy with a tag": ("a taxonomy", "taxonomy.yaml", b"a: !!python/name:os.system x", "tags"),
    "rows that are not UTF-8": ("hidden states", "h.npy.rows.jsonl", b"\xf0", "not a row"),
    "a row that is true": (
        "hidden states",
        "h.npy.rows.jsonl",
        b'{"row": true, "instance_ids": []}',
        "row True",
    ),
    "an array's head cut off": ("hidden states", "h.npy", b"\x93NUMPY\1\0\4\0{'a\n", "not a .npy"),
    "an array of texts": ("hidden states", "h.npy", b"", "not a .npy"),
    "a header of 100,000 characters": ("notes, CSV", "n.csv", b"x" * 100_000 + b"\n1", "no column"),
    "a header that clears the terminal": ("labels.csv", "labels.csv", b"\x1b[2J\n", "no column"),
    "a key of 100,000 characters": ("items, points", "p.jsonl", b'{"' + b"x" * 100_000 + b'": 1}', "row 1"),
}
"""What it is -> reader, file, content, and what the message says."""


@pytest.mark.parametrize("what", FOUND)
def test_what_was_found_is_refused(what: str, tmp_path: Path) -> None:
    name, file, content, said = FOUND[what]
    lay_out(BY_NAME[name], tmp_path)
    (tmp_path / file).write_bytes(content)
    assert said in read(BY_NAME[name], tmp_path)


FINE: dict[str, tuple[str, str, bytes]] = {
    "a finish reason that is a list": (
        "a server's answer",
        "body.json",
        b'{"choices": [{"message": {}, "finish_reason": []}]}',
    ),
    "log-probabilities that are texts": (
        "a server's answer",
        "body.json",
        b'{"choices": [{"message": {"content": "a"}, "logprobs": {"content": ["a"]}}]}',
    ),
    "a refusal nested without end": ("a server's refusal", "body.json", b"[" * 50_000),
    "a config nested without end": ("a model's config", "config.json", b"[" * 50_000),
    "a download's note that is not UTF-8": (
        "a model's config",
        ".cache/huggingface/download/config.json.metadata",
        b"\xff\n",
    ),
    "a draft with half a character": ("a draft of the form", "draft.json", _DRAFT),
    "labels in an earlier bundle that are not UTF-8": (
        "a bundle in an earlier layout",
        "report/claims.csv",
        b"\xff\xfe",
    ),
}  # fmt: skip
"""What is total: nothing is refused, and nothing raised."""


@pytest.mark.parametrize("what", FINE)
def test_what_is_total_takes_it(what: str, tmp_path: Path) -> None:
    name, file, content = FINE[what]
    lay_out(BY_NAME[name], tmp_path)
    (tmp_path / file).write_bytes(content)
    assert read(BY_NAME[name], tmp_path) == "read"


def test_a_draft_with_half_a_character_names_its_fault() -> None:
    from clinicnum.templates.parse_template import content_of_yaml, read_content

    assert "half a character" in read_content(json.loads(_DRAFT)).faults[0].text()
    with pytest.raises(InputError, match="not YAML text"):
        content_of_yaml("- id: \udcff")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("--quota", "retrieval=" + "9" * 5_000),
        ("Retry-After", "Wed, 21 Oct " + "9" * 20 + " 07:28:00 GMT"),
        ("Retry-After", "Wed, 21 Oct 2026 07:28:00 +" + "9" * 400),
    ],
)
def test_a_text_that_was_found(name: str, text: str) -> None:
    assert outcome(lambda: TAKES[name](text))


def test_a_message_is_one_printable_line_of_bounded_length() -> None:
    said = str(InputError("a\nb\x1b[2J\u202e\ud800" + "x" * 1_000_000 + " and the end"))
    assert said.startswith("a b\\x1b[2J\\u202e\\ud800x")
    assert len(said) <= LONGEST
    assert str(InputError("x" * 1_000_000 + " and the end")).endswith("xx and the end")


@pytest.mark.parametrize(
    "text", ["NaN", "-Infinity", "1e999", "9" * 5_000, '"\\ud800"', "[" * 500, "", "\ud800"]
)
def test_what_json_loads_takes_and_no_file_may_hold(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        plain_json(text)


def test_plain_json_reads_what_is_json() -> None:
    assert plain_json(b'\xef\xbb\xbf{"a": [1, 2.5, null, "\\u00e9"]}') == {"a": [1, 2.5, None, "é"]}
