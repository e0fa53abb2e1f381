"""Every reader of outside input in the repository: a valid file of its kind, and how it is read.

A reader either returns, or raises a ClinicnumError; `tests/fuzz/test_table.py` holds this table against the
code, so that a new module that opens or parses something must be entered here, or named there with a reason.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.fuzz import reading, seeds
from tests.fuzz import reading_more as more
from tests.fuzz.seeds import Files


@dataclass(frozen=True)
class Reader:
    """One way in."""

    name: str
    covers: tuple[str, ...]
    """The modules whose reading it tries."""
    files: Callable[[], Files]
    """Valid ones, by path."""
    read: Callable[[Path], object]
    """Reads them from a folder."""
    targets: tuple[str, ...] = ()
    """Those that are spoilt; all, if none is named."""
    examples: int = 25
    """Tries in the suite."""


_LABELS = b"item,annotator,label,repeat,patient,ward\na,ann,yes,0,p,w\na,ben,no,,p,w\nb,ann,none,true,q,w\n"
_PROMPT = b"""name: brief
version: 1
system: Be brief.
wording: "{context} {question} {options}"
examples: [{question: Pulse?, answer: "70"}]
"""
_HEADS = b'[{"chain": "study:x", "rows": 3, "last_hash": "00", "broken_at": null, "reason": null}]'
_REFERENCE = b'{"generation_id": "g", "response_judgement": "acceptable"}\n'
_JSONL = ("clinicnum/io/jsonl.py", "scripts/commands/common/study_material_files.py")
_ROWS = (
    *("clinicnum/imports/read_rows.py", "clinicnum/imports/parse_model.py"),
    *("clinicnum/io/text_lines.py", "clinicnum/io/file_kinds.py"),
)


def _of(module: str) -> tuple[str, ...]:
    return (f"clinicnum/imports/{module}.py", *_ROWS)


READERS: tuple[Reader, ...] = (
    Reader(
        "instances",
        ("clinicnum/io/benchmark.py", "clinicnum/inference/benchmark_index.py", *_JSONL),
        lambda: seeds.only("bench.jsonl"),
        reading.instances,
        ("bench.jsonl",),
    ),
    Reader(
        "generations",
        _JSONL,
        lambda: seeds.only("generations.jsonl"),
        reading.jsonl("Generation", "generations.jsonl"),
    ),
    Reader("scores", _JSONL, lambda: seeds.only("scores.jsonl"), reading.jsonl("Score", "scores.jsonl")),
    Reader(
        "suggestions",
        _JSONL,
        lambda: seeds.only("suggestions.jsonl"),
        reading.jsonl("Suggestion", "suggestions.jsonl"),
    ),
    Reader("references", _JSONL, lambda: {"r.jsonl": _REFERENCE}, reading.jsonl("Reference", "r.jsonl")),
    Reader(
        "shards of a run",
        (
            "clinicnum/inference/generations_journal.py",
            "clinicnum/inference/merge_shards.py",
            "clinicnum/io/jsonl.py",
        ),
        more.shards,
        more.journal,
    ),
    Reader(
        "notes, JSONL",
        ("clinicnum/representations/note_frames.py",),
        lambda: {"n.jsonl": seeds.lines({"text": seeds.NOTE})},
        reading.frames("n.jsonl"),
    ),
    Reader(
        "notes, CSV",
        ("clinicnum/representations/note_frames.py",),
        lambda: {"n.csv": seeds.table({"id": "1", "Text": seeds.NOTE})},
        reading.frames("n.csv"),
    ),
    Reader(
        "notes, text",
        ("clinicnum/representations/note_frames.py",),
        lambda: {"n.txt": f"{seeds.NOTE}\n---\n{seeds.NOTE} Again.\n".encode()},
        reading.frames("n.txt"),
    ),
    Reader(
        "records, CSV",
        ("clinicnum/records/csv_files.py", "clinicnum/records/csv_source.py"),
        seeds.vitals,
        reading.records,
    ),
    Reader(
        "records, MIMIC-IV-ED",
        ("clinicnum/records/csv_files.py",),
        lambda: seeds.mimic(packed=False),
        reading.mimic,
    ),
    Reader(
        "records, MIMIC-IV-ED in gzip",
        ("clinicnum/records/csv_files.py",),
        lambda: seeds.mimic(packed=True),
        reading.mimic,
    ),
    Reader(
        "lint, ours",
        ("clinicnum/lint/input_files.py", "clinicnum/lint/lint_file.py"),
        lambda: seeds.only("bench.jsonl"),
        reading.lint("bench.jsonl"),
    ),
    Reader(
        "lint, another's CSV",
        ("clinicnum/lint/input_files.py",),
        lambda: seeds.fixture("robbench.csv"),
        reading.lint("robbench.csv"),
        examples=8,
    ),
    Reader(
        "templates",
        ("clinicnum/templates/bank.py", "clinicnum/templates/template.py"),
        seeds.templates,
        reading.bank,
    ),
    Reader("a draft as YAML", ("clinicnum/templates/template_yaml.py",), seeds.draft, reading.draft),
    Reader(
        "a draft of the form",
        ("clinicnum/templates/parse_template.py",),
        reading.draft_json,
        reading.draft_message,
    ),
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
        (*_of("question_csv"), "clinicnum/imports/options_from_answers.py"),
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
        lambda: {"l.csv": _LABELS.replace(b"true", b"1")},
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
    Reader(
        "labels.csv",
        ("annotations/agreement/labels_csv.py",),
        lambda: {"labels.csv": _LABELS},
        reading.label_columns,
    ),
    Reader(
        "a bundle's files",
        (
            "annotations/bundle/raw_files.py",
            "annotations/bundle/manifest.py",
            "annotations/exports/report_files.py",
        ),
        seeds.bundle,
        more.bundle,
        examples=4,
    ),
    Reader(
        "a bundle in an earlier layout",
        ("annotations/bundle/verify.py",),
        seeds.earlier_bundle,
        more.earlier_bundle,
        examples=4,
    ),
    Reader(
        "a bundle's archive",
        ("annotations/bundle/archive.py",),
        seeds.archive,
        more.bundle_archive,
        examples=8,
    ),
    Reader(
        "a report",
        ("annotations/exports/report_files.py",),
        lambda: {"report.json": seeds.bundle()["report/report.json"]},
        more.report,
    ),
    Reader("a release", ("clinicnum/release/check.py",), seeds.release, more.release),
    Reader("a taxonomy", ("annotations/taxonomy.py",), seeds.taxonomy, more.taxonomy),
    Reader(
        "a prompt",
        ("scripts/commands/inference/custom_prompt.py", "clinicnum/prompt_file.py"),
        lambda: {"prompt.yaml": _PROMPT},
        more.own_prompt,
    ),
    Reader("a study's fields", ("annotations/custom_fields.py",), seeds.fields, more.fields),
    Reader("axes of ratings", ("annotations/ratings/rating_axes.py",), seeds.axes, more.axes),
    *(
        Reader(
            f"criteria, {form}",
            ("annotations/criteria/read.py",),
            partial(seeds.criteria, form),
            more.criteria,
        )
        for form in seeds.CRITERIA
    ),
    Reader(
        "a guideline",
        ("scripts/commands/common/study_option_files.py",),
        lambda: {"guideline.md": b"# Rules\n\nJudge what is written.\n"},
        more.guideline,
    ),
    Reader(
        "an earlier check of the audit",
        ("db/work/audit/detect_truncated_log.py",),
        lambda: {"audit.json": _HEADS},
        more.heads,
    ),
    Reader(
        "anchors of the audit log",
        ("annotations/audit_anchor.py", "db/audit_anchors.py"),
        seeds.anchors,
        more.anchors,
    ),
    Reader(
        "hidden states", ("clinicnum/robustness/hidden_and_clinical_states.py",), seeds.hidden, more.hidden
    ),
    Reader(
        "a model's config",
        ("clinicnum/inference/model_metadata.py", "clinicnum/inference/chat_template_inputs.py"),
        seeds.config,
        more.config,
    ),
    Reader("a server's answer", ("clinicnum/inference/openai/response_body.py",), seeds.reply, more.reply),
    Reader(
        "a server's refusal", ("clinicnum/inference/openai/error_response.py",), seeds.refusal, more.refusal
    ),
    Reader("a backup", ("db/backup/restore.py",), seeds.backup, more.restore),
)
