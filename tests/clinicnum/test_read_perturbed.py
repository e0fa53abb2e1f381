"""What is read of real texts must not change, other than to nothing, when a text goes on after its answer.

The texts are those of `read_texts`; none was tuned on in the forms that are made of them here.
"""

from typing import Any

import pytest

from tests.clinicnum.test_read_texts import SILENT, agreed, lines, readings, same

TASK = "There are 15 trees in the grove. Workers plant 72 more. How many trees are there now?"
SOLVED = "There are 15 + 72 = 87 trees."
NEXT = {
    "labelled": f"\n\nQuestion: {TASK}\nAnswer: 87",
    "in brackets": f"\n[Q] {TASK}\n[A] 87\n",
    "another label": f"\n\nExample 2: {TASK} {SOLVED}",
    "no label": f"\n\n{TASK}\n\n{SOLVED} The answer is 87.",
    "chat": "\n<|user|>\nThere are 15 trees. Find their number.\n<|assistant|>\nThere are 87 trees.",
    "transcript": "\n\nHuman: 15 + 72\n\nAssistant: 87",
}
UNLABELLED = ("another label", "no label")
"""Told from the text's own by numbers and words alone."""
ROWS = [row for row in lines("texts.jsonl") if agreed(row) not in (None, *SILENT)][::8]


def wrong(rows: list[tuple[dict[str, Any], str]]) -> tuple[int, int]:
    """How many of changed texts are read under the flexible verdict, and how many of them wrongly."""
    read, misread = 0, 0
    for row, text in rows:
        said = str(agreed(row))
        reading = dict(readings({**row, "text": text}, said))["flexible"]
        read += reading.found is not None
        misread += reading.found is not None and not same(row["kind"], said, reading)
    return read, misread


@pytest.mark.parametrize("how", NEXT)
def test_an_invented_question_changes_no_answer(how: str) -> None:
    numbers = [row for row in ROWS if row["kind"] == "number"]
    read, misread = wrong([(row, row["text"] + NEXT[how]) for row in numbers])
    print(f"{how}: {misread} of {read} read wrongly")
    assert read >= 0.95 * len(numbers)
    assert misread <= (0.01 if how in UNLABELLED else 0.005) * read


def test_a_loop_changes_no_answer() -> None:
    looped = []
    for row in ROWS:
        text = row["text"].rstrip()
        looped.append((row, text + 6 * ("\n" + text.rpartition("\n")[2])))
    read, misread = wrong(looped)
    print(f"loops: {misread} of {read} read wrongly")
    assert read >= 0.75 * len(ROWS)
    assert misread <= 0.005 * read
