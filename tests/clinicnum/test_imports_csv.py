"""Questions from any CSV: columns found by name or as given, what a file is, and what is wrong in it."""

from pathlib import Path

import pytest

from clinicnum.errors import InputError
from clinicnum.imports import item_preview
from clinicnum.imports.item_preview import find_format, naming, preview_items
from clinicnum.imports.question_csv import parse_columns, propose_columns
from clinicnum.imports.read_rows import MOST_COLUMNS
from clinicnum.io.jsonl import read_meta
from clinicnum.scripts.cli import run_command
from tests.clinicnum.importing import IMPORTED, import_items

NUMBERS = (
    "Frage;Antwort;Notiz;Patient ID;Unit;Ward\nPulse?;88;HR 88;p1;bpm;A\nWhen?;2180-05-10 06:27:00;;;;B\n"
)
CHOICES = "stem,A,B,C,answer key\nWhich?,one,\"=cmd|' /C calc'!A0\",,B\nAnd?,yes,no,maybe,maybe\n"
TEXTS = "question,answer\nWhat next?,Give oxygen.\nAnd then?,Call the physician.\n"


@pytest.fixture
def write(tmp_path: Path):  # type: ignore[no-untyped-def]
    def put(content: str | bytes, name: str = "items.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return put


def test_each_kind_of_csv_is_found_and_read_with_its_columns(write, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    numbers = write(NUMBERS)
    assert find_format(numbers).format == "csv-number"
    first, second = import_items("csv-number", numbers, tmp_path / "n.jsonl").values()
    assert (first.question, first.context, first.answer, first.unit) == ("Pulse?", "HR 88", "88", "bpm")
    assert (first.subject_id, first.slots, first.answer_type) == ("p1", {"Ward": "A"}, "number")
    assert (second.answer_type, second.subject_id, second.unit) == ("datetime", second.instance_id, None)
    choices = write(CHOICES)
    assert find_format(choices).format == "csv-choice"
    first, second = import_items("csv-choice", choices, tmp_path / "c.jsonl").values()
    assert (first.options, first.answer) == (("one", "=cmd|' /C calc'!A0"), "B")
    assert (second.answer, second.scoring, second.prompt_id) == ("C", "choice", "choice")
    texts = write(TEXTS)
    assert find_format(texts).format == "csv-text"
    first, _ = import_items("csv-text", texts, tmp_path / "t.jsonl").values()
    assert ([point.text for point in first.points], first.scoring) == (["Give oxygen."], "points")


def test_columns_of_other_names_are_given_and_are_part_of_what_the_benchmark_is(
    write, tmp_path: Path
) -> None:  # type: ignore[no-untyped-def]
    path = write("a,b,c\n1,2,3\n")
    made = {}
    for columns in ("question=a,answer=b", "question=a,answer=c"):
        out = tmp_path / f"{columns[-1]}.jsonl"
        (item,) = import_items("csv-number", path, out, "--columns", columns).values()
        made[item.benchmark_id] = item.answer
        assert (read_meta(out) or {})["columns"] == parse_columns(columns)
    assert sorted(made.values()) == ["2", "3"]
    assert len(made) == 2


@pytest.mark.parametrize(
    ("columns", "complaint"),
    [
        ("", "no column is chosen for question, answer"),
        ("question=a,answer=z", "no column 'z' for answer"),
        ("question=a,answer=b,colour=c", "'colour' is no field"),
        ("question", "expected field=column"),
    ],
)
def test_wrong_columns_are_named_and_nothing_is_written(
    write,  # type: ignore[no-untyped-def]
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    columns: str,
    complaint: str,
) -> None:
    out = tmp_path / "out.jsonl"
    asked = ["--from", str(write("a,b,c\n1,2,3\n")), "--out", str(out), "--columns", columns]
    assert run_command(["import", "items", "--format", "csv-number", *asked]) == 2
    assert complaint in capsys.readouterr().err
    assert not out.exists()


def test_a_column_is_proposed_once_and_formats_with_columns_of_their_own_take_none(
    write, tmp_path: Path
) -> None:  # type: ignore[no-untyped-def]
    assert propose_columns(["Question", "question", "Text", "label", "x"], "csv-text") == {
        "question": "Question",
        "answer": "label",
        "context": "Text",
    }
    with pytest.raises(InputError, match="columns of its own"):
        preview_items(IMPORTED / "robbench.csv", "clinicnumrobbench", columns={"question": "question"})


def test_files_of_known_benchmarks_are_recognised(write) -> None:  # type: ignore[no-untyped-def]
    assert find_format(IMPORTED / "robbench.csv").format == "clinicnumrobbench"
    assert find_format(write('\n{"question": "q", "points": ["p"]}\n')).format == "text"
    assert find_format(write('{"question": "q"}\n')).format == "choice"
    assert find_format(write("[" * 100_000)).format == "choice"


def test_a_preview_lists_the_wrong_rows_and_the_items_before_them(write) -> None:  # type: ignore[no-untyped-def]
    path = write("question,answer\n" + "p,1\n" * 1 + "".join(f"q{n},x\n" for n in range(30)))
    found = preview_items(path, "csv-number")
    assert ([one.question for one in found.first], found.items, found.whole) == (["p"], 1, True)
    assert (found.wrong, len(found.problems)) == (30, 20)
    assert found.problems[0].place == f"{path}:3"
    assert found.problems[0].text.startswith("answer is 'x'; expected a number")
    with pytest.raises(InputError, match="no column 'zz'"):
        preview_items(path, "csv-number", columns={"question": "zz", "answer": "answer"})


def test_a_preview_reads_the_beginning_of_a_large_file(
    write,  # type: ignore[no-untyped-def]
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(item_preview, "BEGINNING", 1_000)
    path = write("question,answer\n" + "".join(f"q{n},{n}\n" for n in range(10_000)) + "last,wrong\n")
    found = preview_items(path, "csv-number")
    assert (len(found.first), found.whole, found.wrong) == (5, False, 0)
    assert 50 < found.items < 500


HOSTILE: dict[str, tuple[bytes, str]] = {
    "UTF-16": ("question,answer\né,1\n".encode("utf-16"), "text in UTF-16"),
    "Latin-1": ("question,answer\né,1\n".encode("latin-1"), "not UTF-8 text"),
    "a workbook": (b"PK\3\4" + b"x" * 100, "is a zip archive; expected a table"),
    "gzip": (b"\x1f\x8b\x08" + b"\0" * 100, "a compressed file"),
    "NUL": (b"question,answer\nq\0,1\n", "NUL"),
    "NUL in the header": (b"question\0,answer\nq,1\n", "NUL"),
    "an enormous line": (b"question,answer\n" + b"x" * 17_000_000 + b",1\n", "a line of over"),
    "an enormous header": (b"x" * 17_000_000, "a line of over"),
    "many columns": (b"a," * MOST_COLUMNS + b"b\n1\n", "columns; expected at most"),
    "a quote without end": (b'question,answer\n"q,1\n' * 3, "not a readable CSV"),
    "ragged": (b"question,answer\nq,1,2\n", "3 cells, expected 2"),
    "a header alone": (b"question,answer\n", "a header without rows"),
    "nothing": (b"", "is empty"),
    "deep JSON": (b"[" * 200_000, "not JSON"),
    "an option missing": (b"question,A,B,C,answer\nq,one,,three,C\n", "option B is empty"),
    "the same id twice": (b"id,question,answer\n1,q,1\n1,r,2\n", "again, first in row 1"),
    "a column twice": (b"question,answer,answer\nq,1,2\n", "twice"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_in_one_line_that_names_no_path(write, name: str) -> None:  # type: ignore[no-untyped-def]
    content, complaint = HOSTILE[name]
    path = write(content)
    try:
        with naming(path, "mine.csv"):
            found = preview_items(path, find_format(path).format)
        said = found.problems[0].text
    except InputError as error:
        said = str(error)
        assert str(path.parent) not in said
    assert complaint in said
    assert "\n" not in said


YES_NO = "pergunta,esperado\nq1,Verdadeiro\nq2,Falso\nq3,Falso\nq4,Verdadeiro\n"


def test_without_columns_for_options_the_answers_that_recur_are_the_options_of_every_item(
    write,  # type: ignore[no-untyped-def]
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path, columns = write(YES_NO), ("--columns", "question=pergunta,answer=esperado")
    items = list(import_items("csv-choice", path, tmp_path / "b.jsonl", *columns).values())
    assert {item.options for item in items} == {("Falso", "Verdadeiro")}
    assert [item.answer for item in items] == ["B", "A", "A", "B"]
    assert find_format(write("question,answer\na,yes\nb,no\nc,yes\nd,no\n")).format == "csv-choice"
    assert find_format(write("question,answer\na,yes\nb,no\nc,yes\n")).format == "csv-text"  # one stands once
    for answers in ("A B A B", "yes no x1 yes", "yes yes yes", "aa bb cc dd ee ff aa bb cc dd ee ff"):
        rows = "".join(f"q{n},{answer}\n" for n, answer in enumerate(answers.split()))
        asked = ["--from", str(write("question,answer\n" + rows)), "--out", str(tmp_path / "no.jsonl")]
        assert run_command(["import", "items", "--format", "csv-choice", *asked]) == 2
        assert "are not two to 5 words that recur, as yes and no" in capsys.readouterr().err
