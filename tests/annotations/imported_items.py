"""One item of each kind of answer, as importers make them, and drafts made from them."""

from typing import Any

from clinicnum.annotations.curation.drafted_item import ItemContent, ItemKind, content_from
from clinicnum.imports.external_instance import external_instance
from clinicnum.types import Instance, Point

NOTE = """\
0 A 64-year-old man has had chest pain for 2 hours.
1 His troponin is 0.9 ng/mL.
2 He was given insulin."""


def _item(key: str, **of: Any) -> Instance:
    given: dict[str, Any] = {
        "benchmark_id": "imported",
        "instance_id": key,
        "template_id": key,
        "subtype": key,
        "prompt_id": "choice",
        "subject_id": f"patient of {key}",
        "context": "",
        "source": {},
        **of,
    }
    return external_instance(**given)


CHOICE = _item(
    "choice",
    context="A woman of 34 years has had fever of 39.2 °C for 3 days and is pregnant.",
    question="Which drug should she not be given?",
    options=("paracetamol", "doxycycline", "amoxicillin"),
    answer="B",
    answer_type="choice",
    scoring="choice",
    dimensions={"category": "drugs"},
    source={"origin": "exam 4"},
)
CALCULATED = _item(
    "medcalc",
    context="His weight is 80 kg, his height is 2 m.",
    question="What is his body mass index in kg/m²?",
    answer="20",
    lower="19",
    upper="21",
    answer_type="number",
    scoring="medcalc",
    worked=("80 / 4 = 20",),
    source={"Row Number": "7", "Output Type": "decimal", "Note ID": "12"},
)
DATED = _item(
    "medcalc-date",
    context="Her last period began on 01/02/2024.",
    question="When is the child due?",
    answer="11/07/2024",
    lower="11/07/2024",
    upper="11/07/2024",
    answer_type="datetime",
    scoring="medcalc",
    source={"Output Type": "date"},
)
CORRECTION = _item(
    "medec",
    context=NOTE,
    question="Does this note contain a medical error?",
    answer="2 He was given heparin.",
    answer_type="text",
    scoring="medec",
    dimensions={"error_type": "treatment", "source": "ms"},
)
POINTED = _item(
    "points",
    context="A man of 50 years has gout.",
    question="What do you advise?",
    answer="Less beer. Allopurinol later.",
    answer_type="points",
    scoring="points",
    points=(
        Point(id="beer", text="Drink less beer", value="beer"),
        Point(id="2", text="Allopurinol after the attack"),
    ),
)
EVERY = (CHOICE, CALCULATED, DATED, CORRECTION, POINTED)

REWORDED: dict[str, dict[str, str]] = {
    "choice": {"context": "A pregnant 34-year-old has a fever (39.2 °C, for 3 days)."},
    "medcalc": {"context": "A man of 80 kg and 2 m."},
    "medcalc-date": {"context": "The first day of her last period was 01/02/2024."},
    "medec": {"context": NOTE.replace("has had chest pain for", "complains of chest pain since")},
    "points": {"question": "What is your advice to him?"},
}
"""Id -> what a sound paraphrase changes."""
CHANGED: dict[str, dict[str, Any]] = {
    "choice": {
        "context": "A woman of 34 years has had fever of 39.2 °C for 3 days and is allergic to penicillin.",
        "answer": "C",
    },
    "medcalc": {
        "context": "His weight is 100 kg, his height is 2 m.",
        "answer": "25",
        "lower": "23.75",
        "upper": "26.25",
    },
    "medcalc-date": {
        "context": "Her last period began on 02/02/2024.",
        "answer": "11/08/2024",
        "lower": "11/08/2024",
        "upper": "11/08/2024",
    },
    "medec": {"context": NOTE.replace("insulin", "aspirin"), "answer": "CORRECT"},
    "points": {
        "context": "A man of 50 years has gout and an ulcer.",
        "points": ("Drink less beer", "No ibuprofen"),
    },
}
"""Id -> what a sound counterfactual changes."""


def draft(original: Instance, kind: ItemKind, **changed: Any) -> ItemContent:
    """A draft from an item, with its gold's reason where one is needed."""
    reason = {} if kind == "paraphrase" else {"reason": "as the guideline says"}
    begun = content_from(kind, original, row=f"row of {original.instance_id}")
    return begun.model_copy(update=reason | changed)
