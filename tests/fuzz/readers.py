"""Every reader of outside input in the repository: a valid file of its kind, and how it is read.

A reader either returns, or raises a ClinicnumError; `tests/fuzz/test_table.py` holds this table against the
code, so that a new module that opens or parses something must be entered here, or named there with a reason.
"""

from functools import partial

from tests.fuzz import reading, seeds, study_seeds
from tests.fuzz import reading_more as more
from tests.fuzz.import_readers import IMPORT_READERS
from tests.fuzz.reader import Reader

_PROMPT = b"""name: brief
version: 1
system: Be brief.
wording: "{context} {question} {options}"
examples: [{question: Pulse?, answer: "70"}]
"""
_HEADS = b'[{"chain": "study:x", "rows": 3, "last_hash": "00", "broken_at": null, "reason": null}]'
_REFERENCE = b'{"generation_id": "g", "response_judgement": "acceptable"}\n'
_JSONL = ("clinicnum/io/jsonl.py", "scripts/commands/common/study_material_files.py")


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
        study_seeds.templates,
        reading.bank,
    ),
    Reader("a draft as YAML", ("clinicnum/templates/template_yaml.py",), study_seeds.draft, reading.draft),
    Reader(
        "a draft of the form",
        ("clinicnum/templates/parse_template.py",),
        reading.draft_json,
        reading.draft_message,
    ),
    *IMPORT_READERS,
    Reader(
        "labels.csv",
        ("annotations/agreement/labels_csv.py",),
        lambda: {"labels.csv": seeds.LABELS},
        reading.label_columns,
    ),
    Reader(
        "a bundle's files",
        (
            "annotations/bundle/raw_files.py",
            "annotations/bundle/manifest.py",
            "annotations/exports/report_files.py",
        ),
        study_seeds.bundle,
        more.bundle,
        examples=4,
    ),
    Reader(
        "a bundle in an earlier layout",
        ("annotations/bundle/verify.py",),
        study_seeds.earlier_bundle,
        more.earlier_bundle,
        examples=4,
    ),
    Reader(
        "a bundle's archive",
        ("annotations/bundle/archive.py",),
        study_seeds.archive,
        more.bundle_archive,
        examples=8,
    ),
    Reader(
        "a report",
        ("annotations/exports/report_files.py",),
        lambda: {"report.json": study_seeds.bundle()["report/report.json"]},
        more.report,
    ),
    Reader("a release", ("clinicnum/release/check.py",), study_seeds.release, more.release),
    Reader("a taxonomy", ("annotations/taxonomy.py",), study_seeds.taxonomy, more.taxonomy),
    Reader(
        "a prompt",
        ("scripts/commands/inference/custom_prompt.py", "clinicnum/prompt_file.py"),
        lambda: {"prompt.yaml": _PROMPT},
        more.own_prompt,
    ),
    Reader("a study's fields", ("annotations/custom_fields.py",), study_seeds.fields, more.fields),
    Reader("axes of ratings", ("annotations/ratings/rating_axes.py",), study_seeds.axes, more.axes),
    *(
        Reader(
            f"criteria, {form}",
            ("annotations/criteria/read.py",),
            partial(study_seeds.criteria, form),
            more.criteria,
        )
        for form in study_seeds.CRITERIA
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
        study_seeds.anchors,
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
    Reader("a backup", ("db/backup/restore.py",), study_seeds.backup, more.restore),
)
