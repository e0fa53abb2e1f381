"""How often answers in texts of public models are read as two careful readers read them.

`use` says when the reader of answers was tuned on a text; how each group was read before that, unseen, stands
in `read_texts/README.md`.
"""

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import pytest

from clinicnum.parsing import Reading, ValueKind, parse_answer, parse_flexibly
from clinicnum.scoring import score
from clinicnum.types import Generation, Instance

FOLDER = Path(__file__).parent / "read_texts"
USES = (
    *("tuned", "held back", "held back longer", "held back to the end"),
    *("fourth lot, first half", "fourth lot, second half", "fifth lot"),
    *(
        "sixth lot",
        "seventh lot, first half",
        "seventh lot, second half",
        "eighth lot, first half",
        "eighth lot, second half",
    ),
)
SILENT = ("none", "several", "abstains")
SCALES = (10**3, 10**6, 10**9, 10**12)
SCALE_WORD = re.compile(r"\s(?:thousand|million|billion|trillion)$")
KINDS: dict[str, ValueKind] = {"number": "number", "choice": "choice", "datetime": "datetime"}
Verdict = Literal["lenient", "flexible"]


def lines(name: str) -> list[dict[str, Any]]:
    text = (FOLDER / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def readings(row: dict[str, Any], said: str) -> Iterator[tuple[Verdict, Reading]]:
    """How a text is read under both verdicts; `said` is what people read."""
    kind = KINDS[row["kind"]]
    if said.endswith("00:00:00"):
        kind = "date"
    asked = row["question"] + (f" ({row['unit']})" if row["unit"] else "")
    options = [str(text or "") for text in (row["options"] or {}).values()] or [""] * 10
    about: dict[str, Any] = {"kind": kind, "asked": asked, "options": options if kind == "choice" else ()}
    marked = parse_answer(row["text"], **about)
    yield "lenient", marked
    yield "flexible", parse_flexibly(row["text"], marked, **about)


def same(kind: str, said: str, reading: Reading) -> bool:
    """Whether it is what people read; "8 million" may be either 8 or 8,000,000."""
    assert reading.found is not None
    found = reading.found
    if said in SILENT:
        return False
    if kind == "datetime":
        return f"{found.value:%Y-%m-%d %H:%M:%S}" == said if found.value else False
    if kind == "choice":
        return found.written == said
    mine, theirs = number(found.written), number(said)
    if mine is None or theirs is None:
        return False
    if (found.detail == "scale_word" or SCALE_WORD.search(said)) and mine in {
        theirs * scale for scale in SCALES
    }:
        return True
    return mine == theirs or (theirs != 0 and abs(mine / theirs - 1) < Fraction(1, 10**9))


def number(text: str) -> Fraction | None:
    try:
        return Fraction(SCALE_WORD.sub("", text).replace(",", ""))
    except ValueError:
        return None


def agreed(row: dict[str, Any]) -> str | None:
    """What both readers read; None if they differ."""
    first, second = row["readings"]
    alike = first == second or (number(first) is not None and number(first) == number(second))
    return str(first) if alike else None


@pytest.mark.parametrize("use", USES)
def test_texts_are_read_as_careful_readers_read_them(use: str) -> None:
    rows = [row for row in lines("texts.jsonl") if row["use"] == use]
    clear = [(row, said) for row in rows if (said := agreed(row)) is not None]
    answered = sum(said not in SILENT for _, said in clear)
    read: dict[Verdict, list[bool]] = {"lenient": [], "flexible": []}
    for row, said in clear:
        for verdict, reading in readings(row, said):
            if reading.found is not None:
                read[verdict].append(same(row["kind"], said, reading))
    print(f"{use}: {len(rows)} texts, both readers alike on {len(clear)}, of which {answered} answer")
    for verdict, right in read.items():
        recall, precision = sum(right) / answered, sum(right) / len(right)
        print(f"{use}, {verdict}: recall {recall:.1%}, precision {precision:.1%} of {len(right)} read")
        assert precision >= 0.99
        # Short answers and roots; options that are only hinted at.
        least = {"seventh lot, first half": 0.95, "seventh lot, second half": 0.94}
        least |= {"eighth lot, first half": 0.94, "eighth lot, second half": 0.92}
        lenient = 0.74 if use.startswith(("seventh", "eighth")) else 0.75
        assert recall >= {"lenient": lenient, "flexible": least.get(use, 0.965)}[verdict]


def test_abstentions_are_told_from_guesses() -> None:
    items = [Instance.model_validate(row) for row in lines("unanswerable_items.jsonl")]
    rows, right = lines("unanswerable.jsonl"), 0
    for place, row in enumerate(rows):
        instance = items[row["item"]]
        made = Generation(
            generation_id=f"g{place}",
            run_id="r",
            instance_id=instance.instance_id,
            text=row["text"],
            finish_reason="stop",
        )
        judged = score(instance=instance, generation=made)
        right += (judged.status == "correct") == (row["verdict"] == "abstains")
    print(f"{len(rows)} answers to unanswerable items, {right / len(rows):.1%} judged right")
    assert right / len(rows) >= 0.97
