"""Answers in any CSV, and the formats of answers told by their first lines."""

import gzip
from pathlib import Path

import pytest

from clinicnum.errors import InputError
from clinicnum.imports.answer_format_detection import find_answer_format
from clinicnum.imports.import_generations import Answers
from clinicnum.io.text_lines import no_progress
from clinicnum.types import Generation
from tests.clinicnum.importing import IMPORTED
from tests.db.examples import instance

KNOWN = {one.instance_id: one for one in (instance(number) for number in range(3))}
ASKED = {key: one.model_copy(update={"question": f"What, {key}?"}) for key, one in KNOWN.items()}


def read(path: Path, **options: str | None) -> list[Generation]:
    found = Answers(path, "csv", known=ASKED, benchmark_sha256="0", model_name="m", options=options)
    return [one for one, _score in found.read(no_progress)]


def test_a_csv_tells_the_question_by_id_or_by_its_text(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('instance_id;text;finish_reason;error\ni1;42;length;\ni0;;;timed out\ni2;"a;\nb";;\n')
    told = [(one.instance_id, one.text, one.finish_reason, one.error) for one in read(path)]
    assert told == [
        ("i1", "42", "length", None),
        ("i0", "", "error", "timed out"),
        ("i2", "a;\nb", "stop", None),
    ]
    path.write_text('question,output,case\n"What, i1?",42,i2\n')
    assert [one.instance_id for one in read(path, text_field="output")] == ["i1"]
    assert [one.instance_id for one in read(path, text_field="output", id_field="case")] == ["i2"]
    path.write_text('pergunta,text\n"What, i1?",42\ni0,1\n')
    assert [one.instance_id for one in read(path, id_field="pergunta")] == ["i1", "i0"]
    path.write_text('pergunta,text\n"What else?",42\n')
    with pytest.raises(
        InputError, match=r"pergunta is 'What else\?'; expected the id .* or its whole question"
    ):
        read(path, id_field="pergunta")


def test_line_breaks_that_a_program_wrote_out_are_line_breaks(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("instance_id,text\n" + r"i1,Why.\n\nAnswer: 42" + "\n" + r"i2,So.\nAnswer: 7" + "\n")
    assert [one.text for one in read(path)] == ["Why.\n\nAnswer: 42", "So.\nAnswer: 7"]
    path.write_text("instance_id,text\n" + r"i1,\nu is \neq 3" + "\n")  # LaTeX: nothing has two in a row
    assert [one.text for one in read(path)] == [r"\nu is \neq 3"]
    path.write_text('instance_id,text\n"i1","a\nb"\n' + r"i2,\n\n" + "\n")  # this program writes real ones
    assert [one.text for one in read(path)] == ["a\nb", r"\n\n"]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("instance_id,text\ni9,1\ni1,2\n", r"a.csv:2: row 1: instance_id is 'i9'; expected the id of an"),
        ("instance_id,text\ni1,1\ni1,2\n", "instance 'i1' again, first in row 1"),
        (
            "instance_id,answer\ni1,1\n",
            r"no column 'text': .* is 'instance_id, answer'",
        ),
        ("text\n1\n", "holds no text of what was asked"),
        ("instance_id,text,finish_reason\ni1,1,later\n", "finish_reason is 'later'; expected stop, length"),
        ("instance_id,text\n", "a header without rows"),
    ],
)
def test_a_wrong_row_is_named_and_nothing_is_read(tmp_path: Path, content: str, complaint: str) -> None:
    (tmp_path / "a.csv").write_text(content)
    with pytest.raises(InputError, match=complaint):
        read(tmp_path / "a.csv")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("csv", "instance_id,text\ni1,2\n"),
        ("csv", "[1]\n"),
        ("jsonl", '{"instance_id": "i1", "text": "x"}\n'),
        ("jsonl", '{"instance_id": \n'),
        ("medcalc", '{"Row Number": 1, "LLM Answer": "3"}\n'),
        ("inspect", '{\n  "version": 2,\n  "samples": []\n}\n'),
        ("inspect", '{"version": 2, "eval": {}}\n'),
    ],
)
def test_the_format_is_told_by_the_first_line(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / "a").write_text(content)
    assert find_answer_format(tmp_path / "a") == name


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("clinicnumrobbench", "robbench_output.csv"),
        ("lm-eval", "lm_eval_samples.jsonl"),
        ("inspect", "inspect.eval"),
        ("inspect", "inspect_two_epochs.json"),
    ],
)
def test_the_format_of_other_programs_is_told(name: str, file: str) -> None:
    assert find_answer_format(IMPORTED / file) == name


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    for content in (b"", gzip.compress(b"x"), "text\nä".encode("utf-16")):
        (tmp_path / "a").write_bytes(content)
        with pytest.raises(InputError):
            find_answer_format(tmp_path / "a")
