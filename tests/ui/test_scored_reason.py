"""The reasons that scorers give, as pages show them to readers of another language."""

import json
from pathlib import Path
from typing import Any

import pytest

from clinicnum.parsing import parse_answer, parse_flexibly
from clinicnum.scoring import score
from clinicnum.types import Generation, Instance
from clinicnum.ui.components.language import answer_in
from clinicnum.ui.components.scored_reason import WITH_VALUES, scored_reason
from tests.clinicnum.answering import generation, instance
from tests.clinicnum.answers import texts

CORPUS = Path(__file__).parents[1] / "clinicnum" / "read_texts"
EVERY = 5
"""One text in so many of the corpus is read here."""
RATE = instance()
CELSIUS = instance(unit="°C", answer="38.7", answer_exact="38.7", decimals=1)
AT = instance(answer_type="datetime", answer="2180-05-10 09:12:30", answer_exact=None, unit=None)
ABSENT = instance(answer_type="unanswerable", answer=None, answer_exact=None, evidence=())


def rows(name: str) -> list[dict[str, Any]]:
    lines = (CORPUS / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines[::EVERY]]


def reasons_of_public_texts() -> set[str]:
    """Why texts of public models are not read, under both verdicts."""
    found = set()
    for row in rows("texts.jsonl"):
        options = [str(text or "") for text in (row["options"] or {}).values()] or [""] * 10
        about: dict[str, Any] = {"kind": row["kind"], "asked": row["question"]}
        about["options"] = options if row["kind"] == "choice" else ()
        marked = parse_answer(row["text"], **about)
        found |= {marked.why, parse_flexibly(row["text"], marked, **about).why}
    items = [
        Instance.model_validate_json(line)
        for line in (CORPUS / "unanswerable_items.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    for row in rows("unanswerable.jsonl"):
        item = items[row["item"]]
        found.add(score(instance=item, generation=generation(row["text"], of=item)).reason)
    return {str(reason) for reason in found if reason}


def test_no_reason_on_public_texts_lacks_a_translation() -> None:
    reasons = reasons_of_public_texts()
    print(f"{len(reasons)} reasons")
    assert len(reasons) > 100
    with answer_in("de"):
        assert {reason for reason in reasons if scored_reason(reason) == reason} == set()


@pytest.mark.parametrize(
    ("of", "text", "shown"),
    [
        (RATE, "Answer: 110", "110 ist gleich 110"),
        (RATE, "Answer: 111", "111 ist nicht 110"),
        (RATE, "", "das Modell hat nichts geschrieben"),
        (CELSIUS, "Answer: 101.7 °F", "101.7 °F ist 38.7 °C"),
        (CELSIUS, "Answer: 80 °F", "80 °F ist zu grob, um 38.7 °C zu erkennen"),
        (AT, "Answer: 09:12:30", "2180-05-10 09:12:30 ist der gefragte Zeitpunkt"),
        (AT, "Answer: 2180-05-10 09:13", "2180-05-10 09:13:00 ist nicht 2180-05-10 09:12:30"),
        (ABSENT, "Answer: 93", "93 wird genannt, aber die Einträge belegen es nicht"),
        (texts.FINE, "CORRECT", "kein Fehler ist richtig"),
        (texts.WRONG, "18", "Satz 18 gibt es in der Notiz nicht"),
        (
            texts.WRONG,
            "3 He was given 50 mg.",
            "ein Fehler in Satz 3 ist falsch: er steht in Satz 2; dass es einen Fehler gibt, ist richtig; "
            "Korrektur ROUGE-1 F 0.00, von einem Menschen zu beurteilen",
        ),
    ],
)
def test_what_scorers_say_of_an_answer_in_german(of: Instance, text: str, shown: str) -> None:
    reason = score(instance=of, generation=generation(text, of=of)).reason
    assert scored_reason(reason) == reason
    with answer_in("de"):
        assert scored_reason(reason) == shown


def test_a_failed_sample_and_points() -> None:
    failed = Generation(
        generation_id="g", run_id="r", instance_id="i0", text="", finish_reason="error", error="HTTP 500"
    )
    some = score(instance=texts.SHOCK, generation=generation("1.5 and noradrenaline", of=texts.SHOCK)).reason
    with answer_in("de"):
        told = scored_reason(score(instance=RATE, generation=failed).reason)
        assert told == "ein Fehler statt einer Antwort: HTTP 500"
        assert scored_reason(some).startswith("2 von 4 Punkten gefunden; nicht gefunden: ")


@pytest.mark.parametrize("wording", WITH_VALUES, ids=str)
def test_each_wording_with_values_is_found_again_with_its_values(wording: str) -> None:
    names = {part.split("}")[0] for part in wording.split("{")[1:]}
    text = wording.format(**{name: f"<{name}>" for name in names})
    with answer_in("de"):
        shown = scored_reason(text)
    assert all(f"<{name}>" in shown for name in names)
    assert shown != text or wording == "{value} ist {answer}"


def test_a_text_that_no_scorer_gives_stays_as_it_is() -> None:
    with answer_in("de"):
        assert scored_reason("read by hand") == "read by hand"
        assert scored_reason("") == ""
