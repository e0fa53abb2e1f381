"""The reports by name: which open data, which answers and which kind of study each is made of.

Each function makes and labels one study, in the workspace that it is given. The small model is the one that
the workspace asks.
"""

from collections.abc import Callable
from pathlib import Path
from shutil import copyfile

from clinicnum.scripts.dev.imported_reports.make_item_files import (
    STATEMENT_COLUMNS,
    explanations_jsonl,
    first_lines,
    first_rows,
    rubric_csv,
    statements_csv,
)
from clinicnum.scripts.dev.imported_reports.workspace import Run, Workspace

MEDEC_PROMPT = Path(__file__).with_name("medec_prompt.yaml")
ERRORS, MORE_ERRORS = 0.15, 0.4
"""How often a scripted annotator errs: where it tells failures, and where it has only the score to go by."""
EXPLANATIONS = 24
"""Items that ask for an explanation: their answers are long."""
SHUFFLES = "options.shuffle.1,options.shuffle.2,options.shuffle.3"


def medcalc(space: Workspace) -> None:
    """Make the failure study of MedCalc-Bench: the stored answers of gpt-4o-mini, and new answers of the
    small model.
    """
    benchmark, runs = _medcalc_runs(space)
    drawn = ("--include", "mixed", "--size", "80", "--correct-share", "0.3")
    space.label(benchmark, runs, *drawn, error_rate=ERRORS, adjudicated=True)


def medec(space: Workspace) -> None:
    """Make the failure study of MEDEC's validation notes, on which the small model is asked with two
    prompts.
    """
    notes = _first_items(space, _only(space.data / "medec", "*.csv"))
    benchmark = space.import_items(notes, "--format", "medec")
    runs = [
        space.ask_model(benchmark, "plain", new_tokens=64),
        space.ask_model(benchmark, "examples", new_tokens=64, prompt=MEDEC_PROMPT),
    ]
    drawn = ("--include", "mixed", "--size", "80", "--repeat-share", "0.1")
    space.label(benchmark, runs, *drawn, error_rate=ERRORS, adjudicated=True)


def choice(space: Workspace) -> None:
    """Make the failure study of MMLU's questions of clinical knowledge, which are also asked with their
    options in three other orders.
    """
    questions = _first_items(space, _mmlu(space))
    asked = ("--format", "csv-choice", "--prompt", "choice.direct", "--open-data")
    benchmark = space.import_items(questions, *asked, "--variants", SHUFFLES, "--seed", "1")
    runs = [space.ask_model(benchmark, "small", new_tokens=24)]
    drawn = ("--include", "all", "--size", "28", "--variants", "48")
    space.label(benchmark, runs, *drawn, error_rate=ERRORS, adjudicated=True)


def csv(space: Workspace) -> None:
    """Make the failure study of a CSV whose columns are named by options: statements made from MMLU, which
    the small model calls right or wrong.
    """
    statements = space.add_file("statements.csv", statements_csv(_mmlu(space), limit=space.limit))
    asked = ("--format", "csv-choice", "--prompt", "choice.direct", "--open-data")
    benchmark = space.import_items(statements, *asked, "--columns", STATEMENT_COLUMNS)
    runs = [space.ask_model(benchmark, "small", new_tokens=24)]
    space.label(benchmark, runs, "--include", "all", error_rate=ERRORS, adjudicated=True)


def criteria(space: Workspace) -> None:
    """Make the criteria study: the small model explains how MedCalc-Bench's values are calculated, and
    scripted annotators judge its explanations by weighted criteria.
    """
    benchmark, runs = _explanation_runs(space)
    rubric = space.add_file("criteria.csv", rubric_csv(_medcalc(space), limit=_explanations(space)))
    drawn = ("--include", "all", "--criteria", str(rubric))
    space.label(benchmark, runs, *drawn, error_rate=ERRORS, adjudicated=True)


def pairs(space: Workspace) -> None:
    """Make the pairwise study: answers to MedCalc-Bench of gpt-4o-mini and the small model, side by side."""
    benchmark, runs = _medcalc_runs(space)
    space.label(benchmark, runs, "--pairwise", error_rate=MORE_ERRORS)


def ratings(space: Workspace) -> None:
    """Make the ratings study: answers of gpt-4o-mini and of the small model to MedCalc-Bench, each rated on
    the built-in axes, with the gold answer in sight.
    """
    benchmark, runs = _medcalc_runs(space)
    drawn = ("--ratings", "built-in", "--show-reference", "--size", "80", "--repeat-share", "0.1")
    space.label(benchmark, runs, *drawn, error_rate=MORE_ERRORS)


def claims(space: Workspace) -> None:
    """Make the claims study: the small model explains how MedCalc-Bench's values are calculated, and scripted
    annotators check its explanations sentence by sentence.
    """
    benchmark, runs = _explanation_runs(space)
    space.label(benchmark, runs, "--claims", error_rate=MORE_ERRORS)


REPORTS: dict[str, Callable[[Workspace], None]] = {
    "medcalc": medcalc,
    "medec": medec,
    "choice": choice,
    "csv": csv,
    "criteria": criteria,
    "pairs": pairs,
    "ratings": ratings,
    "claims": claims,
}


def _medcalc_runs(space: Workspace) -> tuple[Path, list[Run]]:
    notes = _first_items(space, _medcalc(space))
    benchmark = space.import_items(notes, "--format", "medcalc", "--prompt", "medcalc.direct")
    answers = _first_items(space, _only(space.data / "medcalc-bench", "*.jsonl"))
    return benchmark, [
        space.import_answers(answers, benchmark, "gpt-4o-mini", "--format", "medcalc"),
        space.ask_model(benchmark, "small", new_tokens=32),
    ]


def _explanation_runs(space: Workspace) -> tuple[Path, list[Run]]:
    """Two runs of the small model: the likeliest tokens, and tokens that are drawn."""
    items = explanations_jsonl(_medcalc(space), limit=_explanations(space))
    source = space.add_file("explanations.jsonl", items)
    benchmark = space.import_items(source, "--format", "text", "--open-data")
    return benchmark, [
        space.ask_model(benchmark, "greedy", new_tokens=96),
        space.ask_model(benchmark, "drawn", "--temperature", "0.8", "--seed", "1", new_tokens=96),
    ]


def _first_items(space: Workspace, source: Path) -> Path:
    """A copy of a file beside the report: whole, or its first items."""
    if space.limit is None:
        return Path(copyfile(source, space.items / source.name))
    first = first_rows if source.suffix == ".csv" else first_lines
    return space.add_file(source.name, first(source, limit=space.limit))


def _explanations(space: Workspace) -> int:
    return min(EXPLANATIONS, space.limit or EXPLANATIONS)


def _medcalc(space: Workspace) -> Path:
    return _only(space.data / "medcalc-bench", "*.csv")


def _mmlu(space: Workspace) -> Path:
    return _only(space.data / "mmlu", "*.csv")


def _only(folder: Path, pattern: str) -> Path:
    """The one file of a folder that fits a pattern."""
    (found,) = folder.glob(pattern)
    return found
