"""The table of readers against the code: what opens or parses something is tried, or named here."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.fuzz.readers import READERS

ROOT = Path(__file__).parents[2]
ROOMS = ("clinicnum", "annotations", "db", "ui", "scripts")
PARSERS = {
    *("read_text", "read_bytes", "open", "ZipFile", "open_memmap", "model_validate_json", "validate_json"),
    *("from_json", "plain_json", "plain_yaml", "text_lines", "read_jsonl", "read_meta", "checked_meta"),
    *("b64decode", "fromstring", "decompress", "load_workbook", "read_csv", "read_parquet", "literal_eval"),
}
"""Calls that take in a file, or text as a structure, by their last name."""
MODULES = {
    "json",
    "yaml",
    "csv",
    "pickle",
    "marshal",
    "tomllib",
    "np",
    "numpy",
    "torch",
    "safetensors",
    "gguf",
}
LOADERS = {"load", "loads", "safe_load", "load_all", "reader", "DictReader", "compose", "parse", "load_file"}
AWAITED = {"form", "body", "json", "stream"}

_OWN_ROWS = "parses what the database holds, which was checked when it was written"
_TOOL = "a benchmark or a tool for those who work on clinicnum; reads what it wrote itself"
_ONLY_WRITES = "opens files to write them"
_OWN_FILE = "reads a file of the package"
_PASSES_ON = "hands the path to a reader of the table: tests/fuzz/test_commands.py tries the command"
_FUNCTIONS = "hands the path to a reader of the table"
_BY_HTTP = "what comes by HTTP is tried on a server: tests/ui/test_handlers_attack.py"
_RUNS_A_MODEL = "hands the path to a reader of the table; its command loads a model and is not fuzzed"
EXEMPT: dict[str, str] = {
    "clinicnum/diagnosis/chance_matches.py": _OWN_FILE,
    "scripts/commands/demo.py": "compares a file of its own, byte by byte",
    "scripts/commands/common/running_demo.py": "reads a file that a running demo wrote",
    "scripts/commands/common/run_demo_step.py": "shows the end of a file that it has itself written",
    "clinicnum/parsing/abstention_classifier.py": _OWN_FILE,
    "clinicnum/templates/proof/grammar.py": _OWN_FILE,
    "clinicnum/generation/instance_writer.py": "parses lines that it has just made",
    "clinicnum/inference/hidden_states.py": _ONLY_WRITES,
    "clinicnum/inference/local/devices.py": "reads the kernel's own /proc/meminfo",
    "clinicnum/inference/generations_file_lock.py": "opens a file to lock it",
    "clinicnum/inference/small_model.py": "opens a wheel whose hash is pinned",
    "clinicnum/io/strict_json.py": "the helper that the readers of the table use",
    "annotations/practice_items.py": _OWN_FILE,
    "ui/components/documentation.py": _OWN_FILE,
    "annotations/bundle/template_files.py": "packs files whose templates were read as a bank before",
    "annotations/curation/review_readiness.py": _OWN_ROWS,
    "annotations/curation/template_trial_cache.py": _OWN_ROWS,
    "annotations/report/render_html_and_csv.py": _OWN_FILE,
    "db/backup/make.py": _ONLY_WRITES,
    "db/engine.py": _ONLY_WRITES,
    "db/work/my_work/feedback_to_annotator.py": _OWN_ROWS,
    "db/work/common/load_work_item.py": _OWN_ROWS,
    "db/work/benchmarks/lint_results.py": _OWN_ROWS,
    "db/upload_storage.py": "reads what it has itself written beside a file, whose content it only stores",
    "db/work/studies/labels_for_agreement.py": _OWN_ROWS,
    "db/work/my_work/work_history.py": _OWN_ROWS,
    "db/work/release/releases.py": "parses a manifest that it has just made",
    "db/work/annotation/append_revision.py": _OWN_ROWS,
    "ui/app/event_validation.py": _BY_HTTP,
    "ui/app/prefetch.py": _OWN_FILE,
    "ui/app/gradio_assets.py": "reads Gradio's own files",
    "ui/components/language.py": _OWN_FILE,
    "ui/components/static_files.py": _OWN_FILE,
    "ui/pages/annotate/custom_item_component.py": "packs a file that Gradio has just made",
    "ui/app/page_action_routes.py": _BY_HTTP,
    "clinicnum/api/benchmark.py": _FUNCTIONS,
    "clinicnum/api/make_benchmark.py": _FUNCTIONS,
    "clinicnum/api/scores.py": _FUNCTIONS,
    "scripts/commands/jobs/job_context.py": "reads what the job's own process has written",
    "scripts/commands/jobs/generate.py": _FUNCTIONS,
    "scripts/commands/jobs/import_generations.py": _FUNCTIONS,
    "scripts/commands/jobs/run_model.py": _FUNCTIONS,
    "scripts/commands/jobs/worker.py": _ONLY_WRITES,
    "scripts/commands/attack.py": _RUNS_A_MODEL,
    "scripts/commands/compare_reports.py": _PASSES_ON,
    "scripts/commands/export.py": "copies a guideline as it is into the bundle",
    "scripts/commands/generate.py": _PASSES_ON,
    "scripts/commands/hidden_states.py": _RUNS_A_MODEL,
    "scripts/commands/import_.py": _PASSES_ON,
    "scripts/commands/lint.py": _PASSES_ON,
    "scripts/commands/robustness.py": _PASSES_ON,
    "scripts/commands/paper_tables.py": _PASSES_ON,
    "scripts/commands/samples.py": _PASSES_ON,
    "scripts/commands/compare_prompts.py": _PASSES_ON,
    "scripts/commands/common/run_files.py": _PASSES_ON,
    "scripts/commands/score.py": _PASSES_ON,
    "scripts/commands/common/new_study_sources.py": _PASSES_ON,
    "scripts/commands/templates_release.py": _PASSES_ON,
    "scripts/commands/inference/dry_run.py": _PASSES_ON,
    "scripts/commands/inference/engines/process.py": "shows the end of an engine's log, whatever it is",
    "scripts/commands/inference/file_hashes.py": "reads its own file; a torn one: test_file_hashes.py",
    "scripts/commands/inference/execute.py": _RUNS_A_MODEL,
    "scripts/commands/inference/check_data_may_leave.py": _PASSES_ON,
}
"""Module -> why no reader tries it. Below these, every module is a tool of our own."""
TOOLS = (
    "scripts/dev/pip_audit_result.py",
    "scripts/dev/bench_",
    "scripts/dev/check_gallery_commands.py",
    "scripts/dev/docs_site/",
    "scripts/dev/gpu_evidence/",
    "scripts/dev/imported_reports/",
    "scripts/dev/load_test/",
    "scripts/dev/run_agreement_packages.py",
    "scripts/dev/sbom.py",
    "scripts/dev/agreement_by_other_packages.py",
    "scripts/dev/coefficients_by_other_packages.py",
    "scripts/dev/train_abstention_classifier.py",
    "scripts/dev/update_translations.py",
)

HELPERS = {
    *(
        f"clinicnum/imports/{name}.py"
        for name in (
            "__init__",
            "answer_record",
            "external_instance",
            "dotted_fields",
            "row_errors",
            "label_record",
            "answer_matching",
            "import_items",
            "import_generations",
            "import_labels",
        )
    ),
    *(
        f"clinicnum/parsing/{name}.py"
        for name in (
            "__init__",
            "number_context",
            "parse_result",
            "number_words",
            "abstention",
            "find_marked_answers",
            "flexible_answer_patterns",
            "abstention_classifier",
        )
    ),
    *(
        f"clinicnum/records/{name}.py"
        for name in (
            "__init__",
            "synthetic_parameters",
            "record_json",
            "loaded_records",
            "stratified_context_order",
            "synthetic_trajectories",
            "synthetic",
            "synthetic_charted_values",
            "prevalidated_record",
            "vitals",
            "clean",
        )
    ),
}
"""Modules of the rooms that import, parse and read records whose work others of the table call."""


def _calls(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Await) and isinstance(node.value, ast.Call):
            function = node.value.func
            if isinstance(function, ast.Attribute) and function.attr in AWAITED:
                yield function.attr
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id in PARSERS:
            yield node.func.id
        elif isinstance(node.func, ast.Attribute):
            owner = node.func.value.id if isinstance(node.func.value, ast.Name) else ""
            if node.func.attr in PARSERS - {"fromstring"} or (owner in MODULES and node.func.attr in LOADERS):
                yield node.func.attr
            if node.func.attr == "json" and not node.args and not node.keywords:
                yield "json"


@cache
def parsed() -> dict[str, ast.Module]:
    """Every module of the product by path."""
    paths = (path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py")))
    return {path.relative_to(ROOT).as_posix(): ast.parse(path.read_bytes()) for path in paths}


@cache
def reading_modules() -> dict[str, set[str]]:
    """Path -> the calls in it that take something in."""
    found = {name: set(_calls(tree)) for name, tree in parsed().items()}
    return {name: calls for name, calls in found.items() if calls}


def test_every_module_that_takes_something_in_is_tried_or_named() -> None:
    tried = {module for reader in READERS for module in reader.covers}
    for name, calls in reading_modules().items():
        if not name.startswith(TOOLS):
            assert name in tried or name in EXEMPT, (
                f"{name} calls {', '.join(sorted(calls))}; add it to readers.py"
            )


def test_the_table_names_only_what_is_there() -> None:
    reading = reading_modules()
    for reader in READERS:
        for module in reader.covers:
            assert (ROOT / module).is_file(), module
    assert not [name for name in EXEMPT if name not in reading], "no longer reads anything; take it out"
    assert len({reader.name for reader in READERS}) == len(READERS)


@pytest.mark.parametrize("room", ["imports", "parsing", "records"])
def test_every_importer_stands_in_the_table(room: str) -> None:
    """These read through a shared helper and so call nothing that the scan knows."""
    from tests.fuzz.texts import TEXTS

    tried = {module for reader in (*READERS, *TEXTS) for module in reader.covers}
    for path in sorted((ROOT / "clinicnum" / room).glob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        assert name in HELPERS or name in tried, (
            f"{name}: add it to import_readers.py, readers.py or texts.py"
        )


def test_nothing_unpickles_or_evaluates() -> None:
    for path, tree in parsed().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                assert not {"pickle", "marshal", "shelve", "dill"} & {one.name for one in node.names}, path
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("eval", "exec", "__import__"), path
