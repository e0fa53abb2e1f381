"""How the readers of records, items, answers, labels and templates are called."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tests.fuzz import seeds, study_seeds
from tests.fuzz.seeds import Files


def drained(found: Iterable[Any]) -> list[Any]:
    """All of it, each written as it would be on disk: what was read must be fit to be written."""
    every = list(found)
    for one in every:
        if hasattr(one, "model_dump_json"):
            one.model_dump_json().encode()
    return every


def jsonl(kind: str, file: str) -> Callable[[Path], object]:
    def read(folder: Path) -> object:
        from clinicnum import types
        from clinicnum.annotations.reference_judgements import Reference
        from clinicnum.io.jsonl import checked_meta, read_jsonl

        checked_meta(folder / file)
        return drained(read_jsonl(folder / file, {"Reference": Reference}.get(kind) or getattr(types, kind)))

    return read


def items(name: str, file: str) -> Callable[[Path], object]:
    def read(folder: Path) -> object:
        from clinicnum.imports.import_items import Items
        from clinicnum.io.text_lines import no_progress

        items = Items(folder / file, name, prompt_id=None, open_data=False)
        found = drained(items.read(no_progress))
        return found, json.dumps(items.meta(), allow_nan=False).encode()

    return read


def preview(file: str) -> Callable[[Path], object]:
    def read(folder: Path) -> object:
        from clinicnum.errors import InputError
        from clinicnum.imports.item_preview import find_format, preview_items

        found = preview_items(folder / file, find_format(folder / file).format)
        if found.problems:
            raise InputError(found.problems[0].text)
        return drained(found.first)

    return read


def answers(name: str, file: str, known: Callable[[], Any], **options: Any) -> Callable[[Path], object]:
    def read(folder: Path) -> object:
        from clinicnum.imports.import_generations import Answers
        from clinicnum.io.text_lines import no_progress

        benchmark = {"known": known(), "benchmark_sha256": "0" * 64}
        found = Answers(folder / file, name, **benchmark, model_name="m", options=options)
        return [drained(filter(None, pair)) for pair in found.read(no_progress)]

    return read


def answer_format(file: str) -> Callable[[Path], object]:
    def read(folder: Path) -> object:
        from clinicnum.imports.answer_format_detection import find_answer_format

        return find_answer_format(folder / file)

    return read


def check_answer_file(file: str) -> Callable[[Path], object]:
    def read(folder: Path) -> object:
        from clinicnum.imports.answer_format_detection import find_answer_format
        from clinicnum.imports.check_answer_file import check_answers

        return check_answers(folder / file, find_answer_format(folder / file))

    return read


def labels(name: str, file: str, **options: str) -> Callable[[Path], object]:
    def read(folder: Path) -> object:
        from clinicnum.imports.import_labels import Labels
        from clinicnum.io.text_lines import no_progress

        found = Labels(folder / file, name, options=dict(options))
        cells = [(one.item, one.annotator, one.label, one.repeat) for one in found.read(no_progress)]
        return repr(cells).encode(), json.dumps(found.meta()).encode()

    return read


def medcalc() -> dict[str, Any]:
    from clinicnum.imports.external_instance import external_instance

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


def records(folder: Path) -> object:
    from clinicnum.records.csv_source import load_csv, parse_columns

    return drained(load_csv(folder / "ward.csv", parse_columns(seeds.COLUMNS)).records)


def mimic(folder: Path) -> object:
    from clinicnum.records.mimic import load_mimic_iv_ed

    return drained(load_mimic_iv_ed(folder).records)


def lint(file: str) -> Callable[[Path], object]:
    def read(folder: Path) -> object:
        from clinicnum.lint.lint_file import lint
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


def frames(file: str) -> Callable[[Path], object]:
    def read(folder: Path) -> object:
        from clinicnum.representations.note_frames import load_frames

        return [(one.frame_id, one.before.encode(), one.after.encode()) for one in load_frames(folder / file)]

    return read


def bank(folder: Path) -> object:
    from clinicnum.templates.bank import load_bank

    return drained(load_bank(folder))


def draft(folder: Path) -> object:
    from clinicnum.templates.parse_template import content_of_yaml, read_content, yaml_of
    from tests.fuzz.judging import as_text

    content = content_of_yaml(as_text(folder / "draft.yaml"))
    reading = read_content(content)
    for fault in reading.faults:
        fault.text().encode()
    if reading.template is not None:
        reading.template.model_dump_json().encode()
    return reading, yaml_of(content)


def draft_message(folder: Path) -> object:
    """A draft as the form in the browser sends it."""
    from clinicnum.templates.parse_template import read_content, yaml_of

    try:
        content = json.loads((folder / "draft.json").read_bytes())
    except (ValueError, RecursionError):
        return None
    reading = read_content(content)
    told = [fault.text() for fault in reading.faults]
    return told, yaml_of(content) if isinstance(content, dict) and not told else ""


def draft_json() -> Files:
    from clinicnum.templates.parse_template import content_of_yaml

    return {"draft.json": json.dumps(content_of_yaml(study_seeds.draft()["draft.yaml"].decode())).encode()}


def label_columns(folder: Path) -> object:
    from clinicnum.annotations.agreement.labels_csv import read_label_columns

    return read_label_columns(folder / "labels.csv", cluster="patient", others=["ward"])[0].ratings()


def instances(folder: Path) -> object:
    from clinicnum.inference.benchmark_index import BenchmarkIndex
    from clinicnum.io.benchmark import read_benchmark

    index = BenchmarkIndex(folder / "bench.jsonl")
    assert [*index.read(range(len(index)))] == [*read_benchmark(folder / "bench.jsonl").values()]
    return drained(index.read(range(len(index))))
