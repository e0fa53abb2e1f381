"""Every reader of outside input in the repository: a valid file of its kind, and how it is read.

A reader either returns, or raises a ClinicnumError; `tests/fuzz/test_table.py` holds this table against the
code, so that a new module that opens or parses something must be entered here, or named there with a reason.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.fuzz import seeds
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


def _drained(found: Iterable[Any]) -> list[Any]:
    """All of it, each written as it would be on disk: what was read must be fit to be written."""
    every = list(found)
    for one in every:
        if hasattr(one, "model_dump_json"):
            one.model_dump_json().encode()
    return every


def _jsonl(kind: str, file: str) -> Callable[[Path], object]:
    def read(folder: Path) -> object:
        from annotations.references import Reference
        from clinicnum import types
        from clinicnum.jsonl import checked_meta, read_jsonl

        checked_meta(folder / file)
        return _drained(read_jsonl(folder / file, {"Reference": Reference}.get(kind) or getattr(types, kind)))

    return read


def _items(name: str, file: str) -> Callable[[Path], object]:
    def read(folder: Path) -> object:
        from clinicnum.imports.items import Items
        from clinicnum.text_lines import unwatched

        items = Items(folder / file, name, prompt_id=None, open_data=False)
        found = _drained(items.read(unwatched))
        return found, json.dumps(items.meta(), allow_nan=False).encode()

    return read


def _answers(name: str, file: str, known: Callable[[], Any], **options: Any) -> Callable[[Path], object]:
    def read(folder: Path) -> object:
        from clinicnum.imports.generations import Answers
        from clinicnum.text_lines import unwatched

        benchmark = {"known": known(), "benchmark_sha256": "0" * 64}
        found = Answers(folder / file, name, **benchmark, model_name="m", options=options)
        return [_drained(filter(None, pair)) for pair in found.read(unwatched)]

    return read


def _labels(name: str, file: str, **options: str) -> Callable[[Path], object]:
    def read(folder: Path) -> object:
        from clinicnum.imports.labels import Labels
        from clinicnum.text_lines import unwatched

        found = Labels(folder / file, name, options=dict(options))
        cells = [(one.item, one.annotator, one.label, one.repeat) for one in found.read(unwatched)]
        return repr(cells).encode(), json.dumps(found.meta()).encode()

    return read


def _medcalc() -> dict[str, Any]:
    from clinicnum.imports.external import external_instance

    item = seeds.MEDCALC_ITEM
    kept = {"Row Number", "Calculator ID", "Note ID"}
    one = external_instance(
        **{"benchmark_id": "b", "instance_id": "i", "template_id": "medcalc.calculator_2", "subtype": "lab"},
        **{
            "prompt_id": "p",
            "subject_id": "s",
            "context": item["Patient Note"],
            "question": item["Question"],
        },
        **{"answer": "25.2", "answer_type": "number", "scoring": "medcalc", "lower": "24", "upper": "26.4"},
        source={key: value for key, value in item.items() if key in kept},
    )
    return {"i": one}


def _records(folder: Path) -> object:
    from clinicnum.records.csv_source import load_csv, parse_columns

    return _drained(load_csv(folder / "ward.csv", parse_columns(seeds.COLUMNS)).records)


def _mimic(folder: Path) -> object:
    from clinicnum.records.mimic import load_mimic_iv_ed

    return _drained(load_mimic_iv_ed(folder).records)


def _lint(file: str) -> Callable[[Path], object]:
    def read(folder: Path) -> object:
        from clinicnum.lint.run import lint
        from clinicnum.templates.bank import load_bank

        return [
            json.dumps(one.as_json()).encode() for one in lint(folder / file, load_bank_once(load_bank)).said
        ]

    return read


_BANK: list[Any] = []


def load_bank_once(load: Callable[[], Any]) -> Any:
    """The base bank; reading it takes longer than all else here."""
    if not _BANK:
        _BANK.append(load())
    return _BANK[0]


def _frames(file: str) -> Callable[[Path], object]:
    def read(folder: Path) -> object:
        from clinicnum.representations.frames import load_frames

        return [(one.frame_id, one.before.encode(), one.after.encode()) for one in load_frames(folder / file)]

    return read


def _bank(folder: Path) -> object:
    from clinicnum.templates.bank import load_bank

    return _drained(load_bank(folder))


def _draft(folder: Path) -> object:
    from clinicnum.templates.studio.reading import content_of_yaml, read_content, yaml_of
    from tests.fuzz.judging import as_text

    content = content_of_yaml(as_text(folder / "draft.yaml"))
    reading = read_content(content)
    for fault in reading.faults:
        fault.text().encode()
    if reading.template is not None:
        reading.template.model_dump_json().encode()
    return reading, yaml_of(content)


def _draft_message(folder: Path) -> object:
    """A draft as the form in the browser sends it."""
    from clinicnum.templates.studio.reading import read_content, yaml_of

    try:
        content = json.loads((folder / "draft.json").read_bytes())
    except (ValueError, RecursionError):
        return None
    reading = read_content(content)
    told = [fault.text() for fault in reading.faults]
    return told, yaml_of(content) if isinstance(content, dict) and not told else ""


def _draft_json() -> Files:
    from clinicnum.templates.studio.reading import content_of_yaml

    return {"draft.json": json.dumps(content_of_yaml(seeds.draft()["draft.yaml"].decode())).encode()}


def _label_columns(folder: Path) -> object:
    from annotations.agreement.labels_csv import read_label_columns

    return read_label_columns(folder / "labels.csv", cluster="patient", others=["ward"])[0].ratings()


def _bundle(folder: Path) -> object:
    """The files as a bundle that its own lists call whole, in its archive."""
    from annotations.bundle.archive import Unpacked, pack, unpack
    from annotations.bundle.verify import verify_bundle

    files = _sealed({name: (folder / name).read_bytes() for name in seeds.bundle()})
    (folder / "b.zip").write_bytes(pack(files))
    unpacked: Unpacked = unpack(folder / "b.zip")
    return [str(fault).encode() for fault in verify_bundle(unpacked, generated_by="t").faults]


def _sealed(files: Files) -> Files:
    from annotations.bundle.manifest import MANIFEST, SUMS, manifest_bytes, sums_bytes

    about = json.loads(seeds.bundle()[MANIFEST])
    del about["files"], about["format"]
    for name, make in ((MANIFEST, lambda: manifest_bytes(files, about)), (SUMS, lambda: sums_bytes(files))):
        if files[name] == seeds.bundle()[name]:
            files[name] = make()
    return files


def _bundle_archive(folder: Path) -> object:
    from annotations.bundle.archive import unpack
    from annotations.bundle.verify import verify_bundle

    return [str(fault) for fault in verify_bundle(unpack(folder / "b.zip"), generated_by="t").faults]


def _release(folder: Path) -> object:
    """Its manifest made to agree with what the files are, where it is not itself spoilt."""
    from clinicnum.templates.release.checking import check_folder, read_release
    from clinicnum.templates.release.facts import MANIFEST

    check_folder(folder)
    seal_release(folder, MANIFEST)
    check_folder(folder)
    return read_release(folder)


def seal_release(folder: Path, name: str) -> None:
    """Write a manifest of what is there, as a forger would."""
    from hashlib import sha256

    from clinicnum.templates.release.facts import Manifest

    if (folder / name).read_bytes() != seeds.release()[name]:
        return
    manifest = Manifest.model_validate_json((folder / name).read_bytes())
    listed = {
        file: one.model_copy(
            update={
                "sha256": sha256((folder / file).read_bytes()).hexdigest(),
                **({"bytes": (folder / file).stat().st_size} if hasattr(one, "bytes") else {}),
            }
        )
        for file, one in manifest.files.items()
    }
    (folder / name).write_bytes(manifest.model_copy(update={"files": listed}).sealed().text().encode())


def _taxonomy(folder: Path) -> object:
    from annotations.taxonomy import load_taxonomy

    return _drained([load_taxonomy(folder / "taxonomy.yaml")])


def _guideline(folder: Path) -> object:
    from scripts.study_text import read_guideline

    return read_guideline(folder / "guideline.md").encode()


def _heads(folder: Path) -> object:
    from db.work.audit_since import read_heads

    return _drained(read_heads(folder / "audit.json"))


def _hidden(folder: Path) -> object:
    from clinicnum.robustness.states import read_hidden

    return read_hidden(folder / "h.npy", benchmark_sha256="0" * 64).vectors.sum()


def _report(folder: Path) -> object:
    from annotations.exports.report_files import read_report

    return _drained([read_report((folder / "report.json").read_bytes(), "report.json")])


def _journal(folder: Path) -> object:
    from clinicnum.inference.journal import whole_lines
    from clinicnum.inference.merging import merge

    shards = [path for path in folder.iterdir() if "part" in path.name]
    found = _drained(line.generation for path in shards for line in whole_lines(path))
    return found, merge(folder / "generations.jsonl")


def _shards() -> Files:
    """Two shards of a run that two processes made."""
    from clinicnum.inference.shards import Part, shard_path
    from clinicnum.jsonl import meta_path

    answers = seeds.made()["generations.jsonl"].splitlines(keepends=True)
    meta = json.loads(seeds.made()["generations.jsonl.meta.json"])
    del meta["sha256"]
    found: Files = {}
    for rank in range(2):
        path = shard_path(Path("generations.jsonl"), Part(rank, 2))
        found[path.name] = b"".join(answers[rank::2])
        found[meta_path(path).name] = json.dumps(meta).encode()
    return found


def _config(folder: Path) -> object:
    from clinicnum.inference.provenance import context_window, folder_revision

    return folder_revision(folder), context_window(folder)


def _reply(folder: Path) -> object:
    from clinicnum.inference.openai.reply import read_reply

    try:
        body = json.loads((folder / "body.json").read_bytes())
    except (ValueError, RecursionError):
        return None
    found = read_reply(body, instance_id="i", max_new_tokens=9, latency_s=1.0)
    return found


def _refusal(folder: Path) -> object:
    from clinicnum.inference.openai.refusal import advice, safe_line, server_message, verdict

    message = server_message((folder / "body.json").read_bytes())
    line = safe_line(400, message, secrets=["key"], prompt=["a prompt that was sent"])
    assert "\n" not in line
    assert len(line) < 500
    return verdict(400, message), advice(400, message)


def _restore(folder: Path) -> object:
    from db.backup.restore import restore

    target = folder / "restored.db"
    target.unlink(missing_ok=True)
    try:
        return restore(folder / "a.backup", f"sqlite:///{target}")
    except BaseException:
        assert not target.exists(), "half a database was left"
        raise


_LABELS = b"item,annotator,label,repeat,patient,ward\na,ann,yes,0,p,w\na,ben,no,,p,w\nb,ann,none,true,q,w\n"
_HEADS = b'[{"chain": "study:x", "rows": 3, "last_hash": "00", "broken_at": null, "reason": null}]'
_REFERENCE = b'{"generation_id": "g", "response_judgement": "acceptable"}\n'


def _instances(folder: Path) -> object:
    from clinicnum.benchmark import read_benchmark

    return _drained(read_benchmark(folder / "bench.jsonl").values())


_JSONL = ("clinicnum/jsonl.py", "scripts/material.py")
_ROWS = ("clinicnum/imports/rows.py", "clinicnum/text_lines.py")


def _of(module: str) -> tuple[str, ...]:
    return (f"clinicnum/imports/{module}.py", *_ROWS)


READERS: tuple[Reader, ...] = (
    Reader(
        "instances",
        ("clinicnum/benchmark.py", *_JSONL),
        lambda: seeds.only("bench.jsonl"),
        _instances,
        ("bench.jsonl",),
    ),
    Reader(
        "generations",
        _JSONL,
        lambda: seeds.only("generations.jsonl"),
        _jsonl("Generation", "generations.jsonl"),
    ),
    Reader("scores", _JSONL, lambda: seeds.only("scores.jsonl"), _jsonl("Score", "scores.jsonl")),
    Reader(
        "suggestions",
        _JSONL,
        lambda: seeds.only("suggestions.jsonl"),
        _jsonl("Suggestion", "suggestions.jsonl"),
    ),
    Reader("references", _JSONL, lambda: {"r.jsonl": _REFERENCE}, _jsonl("Reference", "r.jsonl")),
    Reader(
        "shards of a run",
        ("clinicnum/inference/journal.py", "clinicnum/inference/merging.py", "clinicnum/jsonl.py"),
        _shards,
        _journal,
    ),
    Reader(
        "notes, JSONL",
        ("clinicnum/representations/frames.py",),
        lambda: {"n.jsonl": seeds.lines({"text": seeds.NOTE})},
        _frames("n.jsonl"),
    ),
    Reader(
        "notes, CSV",
        ("clinicnum/representations/frames.py",),
        lambda: {"n.csv": seeds.table({"id": "1", "Text": seeds.NOTE})},
        _frames("n.csv"),
    ),
    Reader(
        "notes, text",
        ("clinicnum/representations/frames.py",),
        lambda: {"n.txt": f"{seeds.NOTE}\n---\n{seeds.NOTE} Again.\n".encode()},
        _frames("n.txt"),
    ),
    Reader(
        "records, CSV",
        ("clinicnum/records/tables.py", "clinicnum/records/csv_source.py"),
        seeds.vitals,
        _records,
    ),
    Reader(
        "records, MIMIC-IV-ED", ("clinicnum/records/tables.py",), lambda: seeds.mimic(packed=False), _mimic
    ),
    Reader(
        "records, MIMIC-IV-ED in gzip",
        ("clinicnum/records/tables.py",),
        lambda: seeds.mimic(packed=True),
        _mimic,
    ),
    Reader(
        "lint, ours",
        ("clinicnum/lint/files.py", "clinicnum/lint/run.py"),
        lambda: seeds.only("bench.jsonl"),
        _lint("bench.jsonl"),
    ),
    Reader(
        "lint, another's CSV",
        ("clinicnum/lint/files.py",),
        lambda: seeds.fixture("robbench.csv"),
        _lint("robbench.csv"),
        examples=8,
    ),
    Reader(
        "templates",
        ("clinicnum/templates/bank.py", "clinicnum/templates/template.py"),
        seeds.templates,
        _bank,
    ),
    Reader("a draft as YAML", ("clinicnum/templates/studio/yaml_text.py",), seeds.draft, _draft),
    Reader("a draft of the form", ("clinicnum/templates/studio/reading.py",), _draft_json, _draft_message),
    Reader(
        "items, MedCalc-Bench",
        _of("medcalc"),
        lambda: {"m.csv": seeds.table(seeds.MEDCALC_ITEM)},
        _items("medcalc", "m.csv"),
    ),
    Reader(
        "items, MEDEC",
        _of("medec"),
        lambda: {"m.csv": seeds.table(seeds.MEDEC_ITEM)},
        _items("medec", "m.csv"),
    ),
    Reader(
        "items, ClinicNumRobBench",
        _of("robbench"),
        lambda: seeds.fixture("robbench.csv"),
        _items("clinicnumrobbench", "robbench.csv"),
    ),
    Reader(
        "items, multiple choice",
        _of("written"),
        lambda: {"c.jsonl": seeds.lines(seeds.CHOICE)},
        _items("choice", "c.jsonl"),
    ),
    Reader(
        "items, points",
        _of("written"),
        lambda: {"p.jsonl": seeds.lines(seeds.POINTS)},
        _items("text", "p.jsonl"),
    ),
    Reader(
        "answers, MedCalc-Bench",
        _of("medcalc"),
        lambda: {"a.jsonl": seeds.medcalc_answer()},
        _answers("medcalc", "a.jsonl", _medcalc),
    ),
    Reader(
        "answers, ClinicNumRobBench",
        _of("robbench"),
        lambda: seeds.fixture("robbench_output.csv"),
        _answers("clinicnumrobbench", "robbench_output.csv", seeds.answered),
    ),
    Reader(
        "answers, lm-eval",
        _of("lm_eval"),
        lambda: seeds.fixture("lm_eval_samples.jsonl"),
        _answers("lm-eval", "lm_eval_samples.jsonl", seeds.answered),
    ),
    Reader(
        "answers, Inspect .eval",
        _of("inspect_log"),
        lambda: seeds.fixture("inspect.eval"),
        _answers("inspect", "inspect.eval", seeds.answered),
    ),
    Reader(
        "answers, Inspect .json",
        _of("inspect_log"),
        seeds.inspect_json,
        _answers("inspect", "log.json", seeds.answered),
    ),
    Reader(
        "answers, JSONL",
        _of("plain"),
        lambda: {"a.jsonl": seeds.plain_answers()},
        _answers("jsonl", "a.jsonl", seeds.known),
    ),
    Reader(
        "labels, long",
        _of("long_labels"),
        lambda: {"l.csv": _LABELS.replace(b"true", b"1")},
        _labels("long", "l.csv", cluster="patient"),
    ),
    Reader(
        "labels, Label Studio",
        _of("label_studio"),
        lambda: {"l.json": json.dumps([seeds.TASK]).encode()},
        _labels("label-studio", "l.json", item="data.case", cluster="data.patient"),
    ),
    Reader(
        "labels, Potato",
        _of("potato"),
        lambda: {"out/ann/user_state.json": json.dumps(seeds.STATE).encode()},
        _labels("potato", "out"),
    ),
    Reader(
        "labels, Potato of old",
        _of("potato"),
        lambda: {
            "out/ann/annotated_instances.jsonl": seeds.lines(
                {"id": "a", "label_annotations": {"cause": {"omission": "1"}}}
            )
        },
        _labels("potato", "out"),
    ),
    Reader(
        "labels, Potato exported",
        _of("potato"),
        lambda: {
            "a.jsonl": seeds.lines(
                {"instance_id": "a", "user_id": "ann", "labels": {"cause": {"omission": "1"}}}
            )
        },
        _labels("potato", "a.jsonl"),
    ),
    Reader(
        "labels.csv",
        ("annotations/agreement/labels_csv.py",),
        lambda: {"labels.csv": _LABELS},
        _label_columns,
    ),
    Reader(
        "a bundle's files",
        (
            "annotations/bundle/raw.py",
            "annotations/bundle/manifest.py",
            "annotations/exports/report_files.py",
        ),
        seeds.bundle,
        _bundle,
        examples=4,
    ),
    Reader(
        "a bundle's archive", ("annotations/bundle/archive.py",), seeds.archive, _bundle_archive, examples=8
    ),
    Reader(
        "a report",
        ("annotations/exports/report_files.py",),
        lambda: {"report.json": seeds.bundle()["report/report.json"]},
        _report,
    ),
    Reader("a release", ("clinicnum/templates/release/checking.py",), seeds.release, _release),
    Reader("a taxonomy", ("annotations/taxonomy.py",), seeds.taxonomy, _taxonomy),
    Reader(
        "a guideline",
        ("scripts/study_text.py",),
        lambda: {"guideline.md": b"# Rules\n\nJudge what is written.\n"},
        _guideline,
    ),
    Reader(
        "an earlier check of the audit", ("db/work/audit_since.py",), lambda: {"audit.json": _HEADS}, _heads
    ),
    Reader("hidden states", ("clinicnum/robustness/states.py",), seeds.hidden, _hidden),
    Reader("a model's config", ("clinicnum/inference/provenance.py",), lambda: seeds.config(), _config),
    Reader("a server's answer", ("clinicnum/inference/openai/asking.py",), seeds.reply, _reply),
    Reader("a server's refusal", ("clinicnum/inference/openai/refusal.py",), seeds.refusal, _refusal),
    Reader("a backup", ("db/backup/restore.py",), seeds.backup, _restore),
)
