"""The material of the sample project: a small benchmark, and answers made up for it with planted failures."""

from collections.abc import Iterator, Sequence
from typing import Any

from clinicnum.annotations.study_inputs import Material, Run
from clinicnum.api.benchmark import Benchmark, generate
from clinicnum.api.scores import score
from clinicnum.types import Generation, Instance

BENCHMARK = "sample-project"
"""The sample's benchmark_id, in which no generated benchmark's id can result."""
RUNS = {"sample-careful": "Sample: careful (made up)", "sample-hasty": "Sample: hasty (made up)"}
"""run_id -> what people call it. The hasty one fails on notes, both fail where records are counted."""
SEED = 1


def sample_material() -> Material:
    """A synthetic benchmark, and the answers of two made-up models; always the same. Takes seconds."""
    made = generate(preset="small", seed=SEED)
    instances = [one.model_copy(update={"benchmark_id": BENCHMARK}) for one in made]
    meta = {**made.meta, "benchmark_id": BENCHMARK, "name": "Sample", "sample": True}
    runs = tuple(Run(_run_meta(run_id), tuple(_answers(run_id, instances))) for run_id in RUNS)
    answers = [answer for run in runs for answer in run.generations]
    scores = score(Benchmark({one.instance_id: one for one in instances}, meta), answers).scores
    return Material(meta, tuple(instances), runs, scores)


def _run_meta(run_id: str) -> dict[str, Any]:
    return {"kind": "generations", "run_id": run_id, "model": f"made up ({run_id})", "sample": True}


def _answers(run_id: str, instances: Sequence[Instance]) -> Iterator[Generation]:
    failures = 0
    for place, instance in enumerate(instances):
        wrong = instance.operation == "aggregation" or place % 6 == 0
        if run_id == "sample-hasty":
            wrong = wrong or instance.representation == "note" or place % 4 == 1
        failures += wrong
        text = _wrong(instance, failures) if wrong else _written(instance, instance.answer or "")
        yield Generation(
            generation_id=f"{run_id}-{place}",
            run_id=run_id,
            instance_id=instance.instance_id,
            text=text,
            finish_reason="length" if text.endswith("…") else "stop",
        )


def _written(instance: Instance, answer: str) -> str:
    value = answer if instance.answer_type in ("number", "count") else f'"{answer}"'
    return f"Looking at the records, the answer is {answer}.\n" + f'{{"answer": {value}}}'


def _wrong(instance: Instance, number: int) -> str:
    """The answer of a typical mistake: mostly one that the question lies in wait for, or one of three
    others.
    """
    match number % 8:
        case 3:
            return "These records do not say enough to answer the question, so I would rather not guess."
        case 5:
            return "Let me go through the records one by one. The first one was charted at admission, and …"
        case 7 if instance.answer_type in ("number", "count"):
            return _written(instance, "4711")
    mistakes = [one.value for one in instance.distractors if one.value != instance.answer]
    return _written(instance, mistakes[number % len(mistakes)] if mistakes else "4711")
