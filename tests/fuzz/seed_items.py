"""One item of each kind that others make, and how items become files."""

import csv
import io
import json

NOTE = (
    "A 40-year-old man has had a cough for 3 days. His vitals are BP 100/50, HR 110, T 97.8, RR 22. "
    "Lungs are clear. WBC is 7.2."
)
MEDCALC_ITEM = {
    **{"Row Number": "1", "Calculator ID": "2", "Calculator Name": "CrCl", "Category": "lab"},
    **{"Output Type": "decimal", "Note ID": "pmc-1", "Note Type": "Extracted", "Patient Note": "A note."},
    **{"Question": "CrCl?", "Relevant Entities": "{}", "Ground Truth Answer": "25.2", "Lower Limit": "24"},
    **{"Upper Limit": "26.4", "Ground Truth Explanation": "So."},
}
MEDEC_ITEM = {
    **{
        "Text ID": "ms-1",
        "Text": "He has fever. He had aspirin.",
        "Sentences": "0 He has fever.\n1 He had aspirin.",
    },
    **{"Error Flag": "1", "Error Type": "treatment", "Error Sentence ID": "1"},
    **{"Error Sentence": "He had aspirin.", "Corrected Sentence": "He had paracetamol."},
    "Corrected Text": "He has fever. He had paracetamol.",
}
CHOICE = {
    **{"id": "c1", "question": "Which is right?", "options": ["the first", "the second"], "answer": "A"},
    **{"context": "A context.", "tags": ["t"], "source": {"origin": "made up"}},
}
POINTS = {
    **{
        "id": 7,
        "question": "What is wrong?",
        "points": [{"id": "p", "text": "shock", "value": "1"}, "fever"],
    },
    **{"subject_id": 3, "category": "free", "answer": "shock and fever"},
}
HEALTHBENCH = {
    "prompt_id": "p1",
    "prompt": [
        *({"role": "user", "content": "He is hot."}, {"role": "assistant", "content": "How hot?"}),
        {"role": "user", "content": "39.5. What now?"},
    ],
    "rubrics": [{"criterion": "Is safe.", "points": 5, "tags": ["axis:accuracy"]}],
    "example_tags": ["theme:hedging"],
}
TASK = {
    **{"id": 1, "data": {"case": "a", "patient": "p-a"}},
    "annotations": [
        {
            **{"id": 4, "completed_by": {"id": 4, "email": "ann"}, "was_cancelled": False},
            "created_at": "2026-01-01T00:00:00Z",
            "result": [{"from_name": "cause", "type": "choices", "value": {"choices": ["omission"]}}],
        }
    ],
}
STATE = {
    "user_id": "ann",
    "instance_id_to_label_to_value": {"a": [[{"schema": "cause", "name": "omission"}, True]], "b": []},
}
LABELS = b"item,annotator,label,repeat,patient,ward\na,ann,yes,0,p,w\na,ben,no,,p,w\nb,ann,none,true,q,w\n"


def lines(*objects: object) -> bytes:
    """JSONL."""
    return "".join(json.dumps(one) + "\n" for one in objects).encode()


def table(*rows: dict[str, str]) -> bytes:
    """A CSV whose header is the keys of the first row."""
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()
