"""Files of items and criteria that no open data set has, made out of MMLU and MedCalc-Bench.

`statements_csv` stands for a benchmark that nobody here knows: its columns have names of its own. Each
question of MMLU becomes two, to be answered by yes or no: is its right option right, and is the first of its
wrong ones? `explanations_jsonl` asks MedCalc-Bench's questions for an explanation: the answer points are the
values that MedCalc-Bench lists as relevant and the result, and the reference is its own explanation.
`rubric_csv` weights these points.
"""

import ast
import csv
import json
from collections.abc import Mapping
from io import StringIO
from pathlib import Path

OPTIONS = ("A", "B", "C", "D")
STATEMENT_COLUMNS = "question=Aussage,answer=Urteil,id=Nr,subject_id=Frage,dimension.origin=Herkunft"
"""How `clinicnum import items --columns` is told what the columns of `statements_csv` are."""
ASKED = " Say which values of the note you use, and explain in whole sentences how you compute the result."
LONGEST_NOTE, MOST_VALUES = 1600, 5
"""Characters of a note, and values that its explanation needs: more take a small model on a CPU too long."""
_WEIGHTS = {"result": 3, "point": 1, "invented": -2}


def statements_csv(mmlu: Path, *, limit: int | None) -> str:
    """A CSV with semicolons: two statements for each of the first `limit` questions of an MMLU file."""
    out = StringIO()
    rows = csv.writer(out, delimiter=";", lineterminator="\n")
    rows.writerow(["Nr", "Frage", "Aussage", "Urteil", "Herkunft"])
    for number, row in enumerate(_rows(mmlu)[:limit], start=1):
        right = row["answer"]
        wrong = next(letter for letter in OPTIONS if letter != right)
        for letter, verdict in ((right, "yes"), (wrong, "no")):
            said = f"Question: {row['question']} Proposed answer: {row[letter]} Is the proposed answer right?"
            rows.writerow([f"s{number}{verdict[0]}", f"q{number}", said, verdict, f"MMLU's option {letter}"])
    return out.getvalue()


def explanations_jsonl(medcalc: Path, *, limit: int | None) -> str:
    """Items for `clinicnum import items --format text`: the first `limit` notes that are short enough."""
    return "".join(json.dumps(_explanation(row), ensure_ascii=False) + "\n" for row in _short(medcalc, limit))


def rubric_csv(medcalc: Path, *, limit: int | None) -> str:
    """Criteria of these items for `clinicnum study create --criteria`: each of their points, with the result
    as a must-have, and for all items that no value is invented.
    """
    out = StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["item_id", "criterion_id", "text", "weight", "must_have", "source"])
    for row in _short(medcalc, limit):
        for point in _points(row):
            kind = "result" if point["id"] == "result" else "point"
            must = "yes" if kind == "result" else "no"
            cells = [item_id(row), point["id"], point["text"], _WEIGHTS[kind], must, "MedCalc-Bench"]
            rows.writerow(cells)
    invented = "Uses a value that does not stand in the note."
    rows.writerow(["", "invented", invented, _WEIGHTS["invented"], "no", "written for this study"])
    return out.getvalue()


def first_rows(source: Path, *, limit: int) -> str:
    """A CSV with its header and its first `limit` rows."""
    with source.open(newline="", encoding="utf-8") as handle:
        found = list(csv.reader(handle))
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerows(found[: limit + 1])
    return out.getvalue()


def first_lines(source: Path, *, limit: int) -> str:
    """The first `limit` lines of a JSONL file."""
    return "".join(source.read_text(encoding="utf-8").splitlines(keepends=True)[:limit])


def item_id(row: Mapping[str, str]) -> str:
    """The id of the item that is made of a row of MedCalc-Bench."""
    return f"explain-{row['Row Number']}"


def _explanation(row: Mapping[str, str]) -> dict[str, object]:
    return {
        "id": item_id(row),
        "context": row["Patient Note"],
        "question": row["Question"].strip() + ASKED,
        "points": _points(row),
        "answer": row["Ground Truth Explanation"].strip(),
        "subject_id": row["Note ID"],
        "category": row["Category"],
        "dimensions": {"calculator": row["Calculator Name"]},
    }


def _points(row: Mapping[str, str]) -> list[dict[str, str]]:
    """The values that an explanation must give: those that MedCalc-Bench lists, and the result."""
    listed = enumerate(_values(row).items(), start=1)
    points = [{"id": f"v{number}", **_point(name, value)} for number, (name, value) in listed]
    gold = row["Ground Truth Answer"]
    return [*points, {"id": "result", "text": f"The result is {gold}.", "value": gold}]


def _point(name: str, value: object) -> dict[str, str]:
    if isinstance(value, bool):
        return {"text": f"{name}: {'yes' if value else 'no'}"}
    if isinstance(value, list):
        number, unit = value
        return {"text": f"{name}: {number:g} {unit}", "value": f"{number:g}"}
    return {"text": f"{name}: {value}"}


def _values(row: Mapping[str, str]) -> dict[str, object]:
    """What MedCalc-Bench lists as relevant, by name: a number and its unit, a truth value, or a text."""
    listed: dict[str, object] = ast.literal_eval(row["Relevant Entities"])
    return listed


def _short(medcalc: Path, limit: int | None) -> list[dict[str, str]]:
    def suits(row: Mapping[str, str]) -> bool:
        short = len(row["Patient Note"]) <= LONGEST_NOTE and len(_values(row)) <= MOST_VALUES
        return short and row["Output Type"] in ("decimal", "integer")

    return [row for row in _rows(medcalc) if suits(row)][:limit]


def _rows(source: Path) -> list[dict[str, str]]:
    with source.open(newline="", encoding="utf-8") as handle:
        return list(csv.DictReader(handle))
