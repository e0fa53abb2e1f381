"""Every reader of items, answers and labels that were made elsewhere: a valid file, and how it is read."""

import json

from tests.fuzz import reading, seeds
from tests.fuzz.reader import Reader

_ROWS = (
    *("clinicnum/imports/read_rows.py", "clinicnum/imports/parse_model.py"),
    *("clinicnum/io/text_lines.py", "clinicnum/io/file_kinds.py"),
)


def _of(module: str) -> tuple[str, ...]:
    return (f"clinicnum/imports/{module}.py", *_ROWS)


IMPORT_READERS: tuple[Reader, ...] = (
    Reader(
        "items, MedCalc-Bench",
        _of("medcalc"),
        lambda: {"m.csv": seeds.table(seeds.MEDCALC_ITEM)},
        reading.items("medcalc", "m.csv"),
    ),
    Reader(
        "items, MEDEC",
        _of("medec"),
        lambda: {"m.csv": seeds.table(seeds.MEDEC_ITEM)},
        reading.items("medec", "m.csv"),
    ),
    Reader(
        "items, ClinicNumRobBench",
        _of("robbench"),
        lambda: seeds.fixture("robbench.csv"),
        reading.items("clinicnumrobbench", "robbench.csv"),
    ),
    Reader(
        "items, any CSV of numbers",
        _of("question_csv"),
        lambda: {"q.csv": seeds.table({"id": "1", "question": "Pulse?", "answer": "88", "note": "HR 88"})},
        reading.items("csv-number", "q.csv"),
    ),
    Reader(
        "items, any CSV of options",
        _of("question_csv"),
        lambda: {"q.csv": seeds.table({"question": "Which?", "A": "one", "B": "two", "answer": "B"})},
        reading.items("csv-choice", "q.csv"),
    ),
    Reader(
        "items, a CSV of yes and no",
        (*_of("question_csv"), "clinicnum/imports/shared_answer_options.py"),
        lambda: {
            "q.csv": seeds.table(
                *({"question": f"Is it {n}?", "answer": ("no", "yes")[n % 2]} for n in range(4))
            )
        },
        reading.items("csv-choice", "q.csv"),
    ),
    Reader(
        "items, any CSV of texts",
        _of("question_csv"),
        lambda: {"q.csv": seeds.table({"question": "What next?", "answer": "Give oxygen."})},
        reading.items("csv-text", "q.csv"),
    ),
    Reader(
        "a preview of items",
        _of("item_preview"),
        lambda: {"q.csv": seeds.table({"question": "Pulse?", "answer": "88"})},
        reading.preview("q.csv"),
    ),
    Reader(
        "items, multiple choice",
        _of("question_jsonl"),
        lambda: {"c.jsonl": seeds.lines(seeds.CHOICE)},
        reading.items("choice", "c.jsonl"),
    ),
    Reader(
        "items, HealthBench",
        _of("healthbench"),
        lambda: {"h.jsonl": seeds.lines(seeds.HEALTHBENCH)},
        reading.items("healthbench", "h.jsonl"),
    ),
    Reader(
        "items, points",
        _of("question_jsonl"),
        lambda: {"p.jsonl": seeds.lines(seeds.POINTS)},
        reading.items("text", "p.jsonl"),
    ),
    Reader(
        "a preview of answers in a CSV",
        _of("check_answer_file"),
        lambda: {"a.csv": seeds.table({"instance_id": "i1", "text": "88"})},
        reading.check_answer_file("a.csv"),
    ),
    Reader(
        "a preview of answers in an Inspect log",
        _of("check_answer_file"),
        seeds.inspect_json,
        reading.check_answer_file("log.json"),
    ),
    Reader(
        "answers, MedCalc-Bench",
        _of("medcalc"),
        lambda: {"a.jsonl": seeds.medcalc_answer()},
        reading.answers("medcalc", "a.jsonl", reading.medcalc),
    ),
    Reader(
        "answers, ClinicNumRobBench",
        _of("robbench"),
        lambda: seeds.fixture("robbench_output.csv"),
        reading.answers("clinicnumrobbench", "robbench_output.csv", seeds.answered),
    ),
    Reader(
        "answers, lm-eval",
        _of("lm_eval"),
        lambda: seeds.fixture("lm_eval_samples.jsonl"),
        reading.answers("lm-eval", "lm_eval_samples.jsonl", seeds.answered),
    ),
    Reader(
        "answers, Inspect .eval",
        _of("inspect_ai_log"),
        lambda: seeds.fixture("inspect.eval"),
        reading.answers("inspect", "inspect.eval", seeds.answered),
    ),
    Reader(
        "answers, Inspect .json",
        _of("inspect_ai_log"),
        seeds.inspect_json,
        reading.answers("inspect", "log.json", seeds.answered),
    ),
    Reader(
        "answers, JSONL",
        _of("generations_jsonl"),
        lambda: {"a.jsonl": seeds.plain_answers()},
        reading.answers("jsonl", "a.jsonl", seeds.known),
    ),
    Reader(
        "answers, any CSV",
        _of("generations_csv"),
        lambda: {"a.csv": seeds.table({"instance_id": next(iter(seeds.known())), "text": '{"answer": 1}'})},
        reading.answers("csv", "a.csv", seeds.known),
    ),
    Reader(
        "the format of answers",
        _of("answer_format_detection"),
        lambda: {"a.jsonl": seeds.plain_answers()},
        reading.answer_format("a.jsonl"),
    ),
    Reader(
        "labels, long",
        _of("long_format_labels"),
        lambda: {"l.csv": seeds.LABELS.replace(b"true", b"1")},
        reading.labels("long", "l.csv", cluster="patient"),
    ),
    Reader(
        "labels, Label Studio",
        _of("label_studio"),
        lambda: {"l.json": json.dumps([seeds.TASK]).encode()},
        reading.labels("label-studio", "l.json", item="data.case", cluster="data.patient"),
    ),
    Reader(
        "labels, Potato",
        _of("potato"),
        lambda: {"out/ann/user_state.json": json.dumps(seeds.STATE).encode()},
        reading.labels("potato", "out"),
    ),
    Reader(
        "labels, Potato of old",
        _of("potato"),
        lambda: {
            "out/ann/annotated_instances.jsonl": seeds.lines(
                {"id": "a", "label_annotations": {"cause": {"omission": "1"}}}
            )
        },
        reading.labels("potato", "out"),
    ),
    Reader(
        "labels, Potato exported",
        _of("potato"),
        lambda: {
            "a.jsonl": seeds.lines(
                {"instance_id": "a", "user_id": "ann", "labels": {"cause": {"omission": "1"}}}
            )
        },
        reading.labels("potato", "a.jsonl"),
    ),
)
