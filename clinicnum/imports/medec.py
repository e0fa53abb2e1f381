"""Import MEDEC: a CSV of clinical notes, each correct or with one wrong sentence, as instances.

Source: Ben Abacha et al. 2024 (arXiv 2412.19260), github.com/abachaa/MEDEC. What is asked is a flag, the ID
of the wrong sentence and the sentence corrected; the gold is written as the answer is asked for: `CORRECT`,
or the ID and the corrected sentence. Most MS notes come in pairs of one case, with and without the error,
whose second sentence is the same once corrected: it identifies the patient. The flag and what follows from it
are kept out of the tags, which are shown before the gold is.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from clinicnum.imports.external_instance import checked_id, checked_text, external_instance
from clinicnum.imports.read_rows import Cells, checked_rows, csv_rows
from clinicnum.imports.row_errors import UniqueKeys, wrong_value
from clinicnum.io.jsonl import text_id
from clinicnum.io.text_lines import Progress
from clinicnum.translatable_text import Translatable
from clinicnum.types import Instance

COLUMNS = (
    "Text ID",
    "Text",
    "Sentences",
    "Error Flag",
    "Error Type",
    "Error Sentence ID",
    "Error Sentence",
    "Corrected Sentence",
    "Corrected Text",
)
WITHOUT_ERROR = {
    "Error Type": "NA",
    "Error Sentence ID": "-1",
    "Error Sentence": "NA",
    "Corrected Sentence": "NA",
    "Corrected Text": "NA",
}
QUESTION = "Does this note contain a medical error? If so, in which sentence, and how should it read?"
CORRECT = "CORRECT"
NO_ERROR = "no error"
"""The kind of error of a note without one, as tables name it."""
OPEN_COLLECTION = "ms-"
"""Id prefix of open notes; those of the University of Washington come under a data use agreement."""
TELLING, BEGINNING = 60, 160
"""Least length of a second sentence that identifies a case, and the length compared: 253 validation cases
have two."""


def instances(path: Path, *, benchmark_id: str, prompt_id: str, progress: Progress) -> Iterator[Instance]:
    """Yield an instance per row of a CSV. Raises InputError naming every faulty row."""
    ids = UniqueKeys("Text ID")

    def make(row: Cells) -> Instance:
        ids.check(checked_id("Text ID", row.cells["Text ID"]), row)
        return _instance(row.cells, benchmark_id, prompt_id)

    return checked_rows(csv_rows(path, COLUMNS, progress), make)


def _instance(cells: Mapping[str, str], benchmark_id: str, prompt_id: str) -> Instance:
    sentences = checked_text("Sentences", cells["Sentences"])
    checked_text("Text", cells["Text"])
    if cells["Error Flag"] not in ("0", "1"):
        raise wrong_value("Error Flag", cells["Error Flag"], Translatable("0 or 1"))
    answer, worked = CORRECT, ("No sentence of this note is wrong.",)
    if cells["Error Flag"] == "1":
        _check_error(cells, sentences)
        corrected = " ".join(cells["Corrected Sentence"].split())
        answer = f"{cells['Error Sentence ID']} {corrected}"
        worked = (f"Wrong sentence ({cells['Error Type']}): {cells['Error Sentence'].strip()}",)
    else:
        for name, expected in WITHOUT_ERROR.items():
            if cells[name] != expected:
                raise wrong_value(
                    name, cells[name], Translatable("{value}, as Error Flag is 0", value=expected)
                )
    return external_instance(
        benchmark_id=benchmark_id,
        instance_id=cells["Text ID"],
        template_id="medec",
        subtype="correction",
        prompt_id=prompt_id,
        subject_id=text_id(_case(sentences, answer)[:BEGINNING]),
        context=sentences,
        question=QUESTION,
        answer=answer,
        answer_type="text",
        scoring="medec",
        worked=worked,
        dimensions={
            "error_type": cells["Error Type"] if cells["Error Flag"] == "1" else NO_ERROR,
            "source": cells["Text ID"].partition("-")[0],
        },
        source={name: cell for name, cell in cells.items() if name not in ("Text ID", "Sentences")},
    )


def _case(sentences: str, answer: str) -> str:
    """The part that both notes of a case share: the corrected second sentence, or the beginning of the
    note if that is short.
    """
    wrong_id, _, corrected = answer.partition(" ")
    read = []
    for line in [line for line in sentences.splitlines() if line.strip()][:3]:
        sentence_id, _, text = line.partition(" ")
        read.append(corrected if sentence_id == wrong_id else " ".join(text.split()))
    second = read[min(1, len(read) - 1)]
    return second if len(second) >= TELLING else " ".join(read)


def _check_error(cells: Mapping[str, str], sentences: str) -> None:
    sentence_id = cells["Error Sentence ID"]
    if not sentence_id.isdecimal() or not re.search(rf"^{sentence_id} ", sentences, re.MULTILINE):
        raise wrong_value(
            "Error Sentence ID",
            sentence_id,
            Translatable("the ID of a line of Sentences, as Error Flag is 1"),
        )
    for name in ("Error Type", "Error Sentence", "Corrected Sentence", "Corrected Text"):
        if not cells[name].strip() or cells[name] == "NA":
            raise wrong_value(name, cells[name], Translatable("a text, as Error Flag is 1"))
