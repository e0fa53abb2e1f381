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
