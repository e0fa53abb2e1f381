"""Read a custom prompt, and check that it suits a benchmark."""

from pathlib import Path

from clinicnum.errors import InputError
from clinicnum.inference.benchmark_index import BenchmarkIndex
from clinicnum.prompt_file import PromptFile, prompt_of
from clinicnum.templates.template_yaml import plain_yaml

LARGEST = 2_000_000
"""Largest prompt file, in bytes."""


def read_prompt(path: Path, benchmark: BenchmarkIndex) -> PromptFile:
    """The custom prompt in a file.

    Raises InputError for an invalid prompt, for a benchmark whose instances ask for several prompts (one
    prompt would make their variants alike), and if an example gives a question's answer away.
    """
    prompt = parse_prompt(path)
    several = sorted(benchmark.prompt_ids)
    if len(several) > 1:
        raise InputError(
            f"--prompt {path}: the benchmark's instances are asked by several prompts, "
            f"{', '.join(several)}, which one of your own would make alike; run a benchmark without variants "
            "of prompts"
        )
    if prompt.examples:
        told = next((one for one in benchmark.read(range(len(benchmark))) if prompt.gives_away(one)), None)
        if told is not None:
            raise InputError(
                f"--prompt {path}: an example is the question of instance {told.instance_id}, whose answer "
                "it would give away; take examples that are not in the benchmark"
            )
    return prompt


def parse_prompt(path: Path) -> PromptFile:
    """The prompt in a file. Raises InputError naming the file and its fault."""
    if not path.is_file():
        raise InputError(f"--prompt {path}: no such file; expected YAML with name, version and wording")
    if path.stat().st_size > LARGEST:
        raise InputError(f"--prompt {path}: over {LARGEST:,} bytes; expected the YAML of one prompt")
    try:
        return prompt_of(plain_yaml(path.read_text(encoding="utf-8"), "line "))
    except UnicodeDecodeError as error:
        raise InputError(f"--prompt {path}: not UTF-8 text at byte {error.start}; expected YAML") from error
    except InputError as error:
        raise InputError(f"--prompt {path}: {error}") from error
