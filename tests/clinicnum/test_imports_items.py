"""Items made elsewhere: nothing of the source is lost, what belongs together is told, faults name the row."""

import csv
import json
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from clinicnum.imports.medcalc import source_row
from clinicnum.io.jsonl import read_meta
from clinicnum.prompt import messages_for, prompt_hash, prompt_id_of
from clinicnum.scripts.cli import run_command
from clinicnum.types import Instance
from tests.clinicnum.importing import IMPORTED, import_items
from tests.open_data import MEDCALC, MEDEC, figure


@pytest.fixture(scope="module")
def medcalc(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Instance]:
    return import_items("medcalc", MEDCALC, tmp_path_factory.mktemp("medcalc") / "bench.jsonl")


@pytest.fixture(scope="module")
def medec(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Instance]:
    return import_items("medec", MEDEC, tmp_path_factory.mktemp("medec") / "bench.jsonl")


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as handle:
        return list(csv.DictReader(handle))


def test_every_cell_of_medcalc_bench_is_written_back(medcalc: dict[str, Instance]) -> None:
    back = [source_row(instance) for instance in medcalc.values()]
    assert len(back) == figure(subset=62, whole=1047)
    assert back == rows(MEDCALC)


def test_every_cell_of_medec_is_written_back(medec: dict[str, Instance]) -> None:
    back = [
        {**instance.slots, "Text ID": instance.instance_id, "Sentences": instance.context}
        for instance in medec.values()
    ]
    assert len(back) == figure(subset=70, whole=574)
    assert back == rows(MEDEC)


def test_medcalc_kinds_limits_and_patients(medcalc: dict[str, Instance]) -> None:
    kinds = Counter(instance.answer_type for instance in medcalc.values())
    # In the whole file 40 dates and 20 gestational ages; all else are numbers.
    assert kinds == figure(
        subset={"number": 56, "datetime": 4, "text": 2}, whole={"number": 987, "datetime": 40, "text": 20}
    )
    for instance in medcalc.values():
        assert (instance.operation, instance.scoring, instance.records) == ("external", "medcalc", ())
        if instance.answer_type == "number":
            assert Decimal(instance.lower) <= Decimal(instance.answer) <= Decimal(instance.upper)
        else:
            assert instance.lower == instance.upper == instance.answer
    # Template notes are numbered anew for each calculator: only the same text is the same patient.
    texts = {(i.context if i.slots["Note ID"].isdecimal() else i.slots["Note ID"]) for i in medcalc.values()}
    assert len({instance.subject_id for instance in medcalc.values()}) == len(texts)
    assert len({instance.template_id for instance in medcalc.values()}) == 55


def test_medec_golds_pairs_and_what_annotators_see(medec: dict[str, Instance]) -> None:
    assert medec["ms-val-0"].answer == "5 Culture tests indicate Trichomonas vaginalis."
    assert medec["ms-val-1"].answer == "CORRECT"
    assert Counter(i.answer == "CORRECT" for i in medec.values()) == figure(
        subset={True: 31, False: 39}, whole={True: 255, False: 319}
    )
    subjects = Counter(instance.subject_id for instance in medec.values())
    assert Counter(subjects.values()) == figure(subset={2: 31, 1: 8}, whole={2: 253, 1: 68})
    assert all(instance.tags == () and instance.template_id == "medec" for instance in medec.values())


def test_open_data_are_told_from_those_that_may_not_leave(tmp_path: Path) -> None:
    lines = [{**row, "Text ID": f"uw-{number}"} for number, row in enumerate(rows(MEDEC)[:2])]
    closed = tmp_path / "uw.csv"
    with closed.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.DictWriter(handle, lines[0])
        writer.writeheader()
        writer.writerows(lines)
    out = tmp_path / "bench.jsonl"
    for source, more, credentialed in (
        (MEDEC, (), False),
        (closed, (), True),
        (closed, ("--open-data",), False),
    ):
        import_items("medec", source, out, *more)
        meta = read_meta(out)
        assert meta is not None
        assert meta["credentialed"] is credentialed


CHOICES = [
    {
        "id": 7,
        "context": "HR 120.",
        "question": "Pulse?",
        "options": ["88", "120"],
        "answer": "B",
        "category": "hr",
    },
    {"question": "Normal?", "options": {"A": "4", "B": "16"}, "answer": "16", "source": {"year": "2021"}},
]
TEXTS = [
    {"context": "HR 120.", "question": "Why?", "points": ["fever", {"id": "p", "text": "pain", "value": "5"}]}
]


def jsonl(path: Path, objects: list[Any]) -> Path:
    path.write_text("".join(f"{json.dumps(one)}\n" for one in objects), encoding="utf-8")
    return path


def test_multiple_choice_by_letter_or_by_text(tmp_path: Path) -> None:
    made = import_items("choice", jsonl(tmp_path / "c.jsonl", CHOICES), tmp_path / "bench.jsonl")
    first, second = made.values()
    assert (first.instance_id, first.answer, first.options, first.template_id) == (
        "7",
        "B",
        ("88", "120"),
        "choice.hr",
    )
    assert (second.answer, second.options, second.slots) == ("B", ("4", "16"), {"year": "2021"})
    assert second.subject_id == second.instance_id
    assert first.subject_id != first.instance_id
    asked = messages_for(second)[1]["content"]
    assert asked.startswith("Normal?\nA. 4\nB. 16\n\n")
    assert "letter" in asked


def test_text_with_answer_points(tmp_path: Path) -> None:
    (made,) = import_items("text", jsonl(tmp_path / "t.jsonl", TEXTS), tmp_path / "b.jsonl").values()
    assert [(p.id, p.text, p.value) for p in made.points] == [("1", "fever", None), ("p", "pain", "5")]
    assert made.worked == ("fever", "pain")
    assert messages_for(made)[1]["content"] == "HR 120.\n\nWhy?"


def test_robbench_rows_are_numeric_items_with_the_decimals_asked(tmp_path: Path) -> None:
    source = IMPORTED / "robbench.csv"
    made = list(import_items("clinicnumrobbench", source, tmp_path / "bench.jsonl").values())
    assert [(i.answer_type, i.answer, i.decimals) for i in made] == [
        ("number", "104", None),
        ("number", "42", None),
        ("number", "1.02", 2),
        ("datetime", "2180-05-10 07:30:00", None),
    ]
    assert made[0].template_id == "clinicnumrobbench.retrieval.heart_rate"
    back = [{"question": f"{i.context}\n\n{i.question}", **i.slots} for i in made]
    assert back == rows(source)


def test_the_same_file_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        import_items("clinicnumrobbench", IMPORTED / "robbench.csv", tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize("scoring", ["numeric", "medcalc", "choice", "medec", "points"])
def test_an_item_made_elsewhere_is_never_asked_about_vital_signs(scoring: str) -> None:
    plain: dict[str, Any] = {
        **{
            "instance_id": "i",
            "group_id": "g",
            "benchmark_id": "b",
            "template_id": "t",
            "template_version": 1,
        },
        **{"operation": "external", "subtype": "", "steps": 1, "representation": "external", "records": ()},
        **{
            "context": "{0} a note",
            "question": "What?",
            "answer": "1",
            "answer_type": "text",
            "subject_id": "s",
        },
    }
    made = Instance.model_validate(plain | {"scoring": scoring})
    asked = " ".join(message["content"] for message in messages_for(made))
    assert "vital signs" not in asked
    assert "{0} a note\n\nWhat?" in asked
    # The wording asked is the one that the run's hash is taken of.
    assert prompt_hash([prompt_id_of(made)]) != prompt_hash([None])


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
    "a missing column": ("medcalc", medcalc_csv().replace("Question", "Frage"), ":1: no column 'Question'"),
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
