"""Files of items that are wrong: one line that names every row, and no file."""

from pathlib import Path

import pytest

from clinicnum.scripts.cli import run_command
from tests.clinicnum.importing import import_items
from tests.clinicnum.test_imports_items import TEXTS, jsonl


def medcalc_csv(**changes: str) -> str:
    row = {
        **{"Row Number": "1", "Calculator ID": "2", "Calculator Name": "CrCl", "Category": "lab"},
        **{"Output Type": "decimal", "Note ID": "pmc-1", "Note Type": "Extracted", "Patient Note": "A note."},
        **{
            "Question": "CrCl?",
            "Relevant Entities": "{}",
            "Ground Truth Answer": "25.2",
            "Lower Limit": "24",
        },
        **{"Upper Limit": "26.4", "Ground Truth Explanation": "So."},
    }
    return ",".join(row) + "\n" + ",".join(f'"{cell}"' for cell in (row | changes).values()) + "\n"


def medec_csv(**changes: str) -> str:
    row = {
        **{"Text ID": "ms-1", "Text": "One. Two.", "Sentences": "0 One.\n1 Two.", "Error Flag": "1"},
        **{"Error Type": "diagnosis", "Error Sentence ID": "1", "Error Sentence": "Two."},
        **{"Corrected Sentence": "Three.", "Corrected Text": "One. Three."},
    }
    return ",".join(row) + "\n" + ",".join(f'"{cell}"' for cell in (row | changes).values()) + "\n"


ODD = "x" * 17_000_000


FAULTS: dict[str, tuple[str, str | bytes, str]] = {
    "a gold outside its limits": (
        "medcalc",
        medcalc_csv(**{"Upper Limit": "25"}),
        ":2: row 1: Ground Truth Answer 25.2",
    ),
    "a limit that is no number": (
        "medcalc",
        medcalc_csv(**{"Lower Limit": "low"}),
        "Lower Limit is 'low'; expected a num",
    ),
    "a gold that is infinite": (
        "medcalc",
        medcalc_csv(**{"Ground Truth Answer": "Infinity"}),
        "expected a finite number",
    ),
    "a kind of output that is none": (
        "medcalc",
        medcalc_csv(**{"Output Type": "text"}),
        "decimal, integer, date",
    ),
    "a date that does not exist": (
        "medcalc",
        medcalc_csv(**{"Output Type": "date", "Ground Truth Answer": "02/30/2020"}),
        "expected a date as MM/DD/YYYY",
    ),
    "limits of a date": (
        "medcalc",
        medcalc_csv(**{"Output Type": "date", "Ground Truth Answer": "02/03/2020"}),
        "Lower Limit is '24'; expected the Ground Truth Answer, 02/03/2020",
    ),
    "no note": ("medcalc", medcalc_csv(**{"Patient Note": " "}), "Patient Note is ' '; expected a text"),
    "an id that cannot be one": ("medcalc", medcalc_csv(**{"Note ID": "a\tb"}), "expected a plain id"),
    "the same row twice": (
        "medcalc",
        medcalc_csv() + medcalc_csv().split("\n")[1] + "\n",
        ":3: row 2: Row Number '1' again, first in row 1",
    ),
    "a missing column": ("medcalc", medcalc_csv().replace("Question", "Frage"), "has no column 'Question'"),
    "a doubled column": (
        "medcalc",
        "Question," + medcalc_csv().replace("\n", ',"x"\n'),
        "'Question' stands there twice",
    ),
    "a cell too many": ("medcalc", medcalc_csv().rstrip("\n") + ",more\n", ":2: 15 cells, expected 14"),
    "quotes that never end": ("medcalc", medcalc_csv() + '"', ":3: not a readable CSV"),
    "a header alone": ("medcalc", medcalc_csv().split("\n")[0] + "\n", "a header without rows"),
    "an empty file": ("medcalc", "", "is empty"),
    "a NUL byte": ("medcalc", medcalc_csv(**{"Patient Note": "a\0b"}), ":2: holds a NUL byte"),
    "another encoding": (
        "medcalc",
        medcalc_csv(**{"Patient Note": "°"}).encode("latin-1"),
        ":2: not UTF-8 text",
    ),
    "UTF-16": ("medcalc", medcalc_csv().encode("utf-16"), ":1: not UTF-8 text"),
    "a line without end": (
        "medcalc",
        medcalc_csv(**{"Patient Note": ODD}),
        ":2: a line of over 16,777,216 bytes",
    ),
    "a flag that is none": ("medec", medec_csv(**{"Error Flag": "2"}), "Error Flag is '2'; expected 0 or 1"),
    "a sentence that is not there": (
        "medec",
        medec_csv(**{"Error Sentence ID": "7"}),
        "Error Sentence ID is '7'",
    ),
    "an error without correction": (
        "medec",
        medec_csv(**{"Corrected Sentence": "NA"}),
        "Corrected Sentence is 'NA'",
    ),
    "a correction without error": (
        "medec",
        medec_csv(**{"Error Flag": "0"}),
        "expected NA, as Error Flag is 0",
    ),
    "not JSON": ("choice", "question,options\n", ":1: row 1: not JSON ("),
    "JSON that ends early": ("choice", '{"question": "q",\n', "ends in the middle"),
    "JSON nested without end": ("choice", "[" * 100_000, "not JSON (recursion limit"),
    "a list for an object": ("choice", "[1]\n", "the row is [1]; expected an object"),
    "no answer": ("choice", '{"question": "q", "options": ["a", "b"]}', "answer is missing"),
    "a misspelt key": (
        "choice",
        '{"question": "q", "options": ["a", "b"], "answer": "A", "tag": 1}',
        "tag is not known",
    ),
    "an answer that is no option": (
        "choice",
        '{"question": "q", "options": ["a", "b"], "answer": "C"}',
        "answer is 'C'",
    ),
    "a letter that is also a text": (
        "choice",
        '{"question": "q", "options": ["B", "b"], "answer": "B"}',
        "text of option A",
    ),
    "one option": (
        "choice",
        '{"question": "q", "options": ["a"], "answer": "A"}',
        "options are 1; expected 2 to 26",
    ),
    "letters with a gap": (
        "choice",
        '{"question": "q", "options": {"A": "a", "C": "c"}, "answer": "A"}',
        "without a gap",
    ),
    "options of numbers": (
        "choice",
        '{"question": "q", "options": [1, 2], "answer": "A"}',
        "options is [1, 2]; expected",
    ),
    "a truth for an id": (
        "choice",
        '{"id": true, "question": "q", "options": ["a", "b"], "answer": "A"}',
        "id is True",
    ),
    "the same id twice": (
        "text",
        '{"id": 1, "question": "q", "points": ["a"]}\n' * 2,
        ":2: row 2: id '1' again, first in row 1",
    ),
    "no points": ("text", '{"question": "q", "points": []}', "points is empty"),
    "a point without text": ("text", '{"question": "q", "points": [{"id": "a"}]}', "points.text is missing"),
    "a question without context": (
        "clinicnumrobbench",
        "question,answer,dataset_source\nq,1,s\n",
        "expected a context, a blank line",
    ),
    "a gold in words": (
        "clinicnumrobbench",
        'question,answer,dataset_source\n"c\n\nq",ten,s\n',
        "answer is 'ten'; expected a number",
    ),
    "a format that is none": ("excel", "x", "the format 'excel' does not exist"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_one_line_and_leaves_no_file(
    fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name, content, said = FAULTS[fault]
    source = tmp_path / "source"
    source.write_bytes(content if isinstance(content, bytes) else content.encode())
    arguments = ["--format", name, "--from", str(source), "--out", str(tmp_path / "out.jsonl")]
    assert run_command(["import", "items", *arguments]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert said in lines[0]
    assert len(lines[0]) < 700
    assert [path.name for path in tmp_path.iterdir()] == ["source"]


def test_all_wrong_rows_are_told_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = '{"question": "q%d", "points": ["a"]}\n', '{"question": "q%d"}\n'
    source = tmp_path / "t.jsonl"
    source.write_text("".join((bad if n % 2 else good) % n for n in range(1, 51)))
    assert (
        run_command(
            ["import", "items", "--format", "text", "--from", str(source), "--out", str(tmp_path / "o")]
        )
        == 2
    )
    said = capsys.readouterr().err
    assert ":1: row 1: points is missing" in said
    # 25 odd rows: the first, 20 that are listed, and 4 that are only counted.
    assert "(and 24 more wrong rows: 3, 5, " in said
    assert said.rstrip().endswith("39, 41, ...)")


def test_carriage_returns_a_byte_order_mark_and_long_cells_are_taken(tmp_path: Path) -> None:
    source = tmp_path / "m.csv"
    text = medcalc_csv(**{"Patient Note": "long " * 40_000, "Question": "CrCl?\nNow."})
    source.write_bytes(b"\xef\xbb\xbf" + text.replace('"\n', '"\r\n').encode())
    (made,) = import_items("medcalc", source, tmp_path / "bench.jsonl").values()
    assert len(made.context) == 200_000
    assert made.question == "CrCl?\nNow."


def test_the_source_is_never_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = jsonl(tmp_path / "t.jsonl", TEXTS)
    before = source.read_bytes()
    assert (
        run_command(["import", "items", "--format", "text", "--from", str(source), "--out", str(source)]) == 2
    )
    assert "is given twice" in capsys.readouterr().err
    assert source.read_bytes() == before
