"""Two made-up models with a story, and the material of the sample project: a benchmark that they answered.

The hasty model reads tables best and loses most of that on notes; the careful one answers alike however
records are written, but reads single values worse. Both fail where records are counted.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any

from clinicnum.annotations.study_inputs import Material, Run
from clinicnum.api.benchmark import Benchmark, generate
from clinicnum.api.scores import score
from clinicnum.inference.runner import named_prompts
from clinicnum.taxonomy_codes import WRONG_RECORD
from clinicnum.types import Generation, Instance

BENCHMARK = "sample-project"
"""The sample's benchmark_id, which no generated benchmark can get."""
RUNS = {"sample-careful": "Sample: careful (made up)", "sample-hasty": "Sample: hasty (made up)"}
"""run_id -> what people call it."""
SEED = 1
FORMULA, RECORD = ("causal_reasoning",), (WRONG_RECORD,)
OMISSION, NOWHERE = ("omission",), ("hallucination",)
CAREFUL_FAILS = {("retrieval", 1): RECORD, ("arithmetic", 3): FORMULA}
"""(operation, how many questions of it came before, modulo four) -> the kind of mistake."""
HASTY_ON_NOTES = (OMISSION, NOWHERE, RECORD, NOWHERE, OMISSION, FORMULA)
"""The kinds of mistakes of the hasty model on notes, in turn."""


def sample_material() -> Material:
    """A synthetic benchmark, and the answers of two made-up models; always the same. Takes seconds."""
    made = generate(preset="small", seed=SEED)
    instances = [one.model_copy(update={"benchmark_id": BENCHMARK}) for one in made]
    meta = {**made.meta, "benchmark_id": BENCHMARK, "name": "Sample", "sample": True}
    prompts = named_prompts(instances)
    runs = tuple(Run(_run_meta(run_id) | prompts, tuple(_answers(run_id, instances))) for run_id in RUNS)
    answers = [answer for run in runs for answer in run.generations]
    scores = score(Benchmark({one.instance_id: one for one in instances}, meta), answers).scores
    return Material(meta, tuple(instances), runs, scores)


def careful_answers(instances: Iterable[Instance]) -> Iterator[str]:
    """One text an instance: the same answer to a question in every representation."""
    places = _Places()
    for instance in instances:
        place = places.of(instance)
        if instance.operation == "aggregation" and place % 2 == 0:
            yield _wrong(instance, OMISSION)
        elif instance.operation == "retrieval" and place % 4 == 3:
            yield "These records do not say enough to answer the question, so I would rather not guess."
        elif (kind := CAREFUL_FAILS.get((instance.operation, place % 4))) is not None:
            yield _wrong(instance, kind)
        else:
            yield _written(instance, instance.answer or "")


def hasty_answers(instances: Iterable[Instance]) -> Iterator[str]:
    """One text an instance: on notes three of four are wrong, elsewhere counts only."""
    places, failures = _Places(), 0
    for instance in instances:
        place, on_notes = places.of(instance), instance.representation == "note"
        if on_notes and place % 4 == 1 and instance.operation == "comparison":
            yield "Let me go through the note line by line. The first values were charted on arrival, and …"
        elif on_notes and place % 4:
            yield _wrong(instance, HASTY_ON_NOTES[failures % len(HASTY_ON_NOTES)])
            failures += 1
        elif instance.operation == "aggregation" and place % 2 == 0:
            yield _wrong(instance, NOWHERE)
        else:
            yield _written(instance, instance.answer or "")


ANSWERS = {"careful": careful_answers, "hasty": hasty_answers}
"""The made-up models by name."""


def _run_meta(run_id: str) -> dict[str, Any]:
    return {"kind": "generations", "run_id": run_id, "model": f"made up ({run_id})", "sample": True}


def _answers(run_id: str, instances: Sequence[Instance]) -> Iterator[Generation]:
    texts = ANSWERS[run_id.removeprefix("sample-")](instances)
    for place, (instance, text) in enumerate(zip(instances, texts, strict=True)):
        yield Generation(
            generation_id=f"{run_id}-{place}",
            run_id=run_id,
            instance_id=instance.instance_id,
            text=text,
            finish_reason="length" if text.endswith("…") else "stop",
        )


class _Places:
    """The place of each question among those of its operation, counted from 0 in the order in which they
    first come.
    """

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}
        self._count: Counter[str] = Counter()

    def of(self, instance: Instance) -> int:
        if instance.group_id not in self._seen:
            self._seen[instance.group_id] = self._count[instance.operation]
            self._count[instance.operation] += 1
        return self._seen[instance.group_id]


def _written(instance: Instance, answer: str) -> str:
    value = answer if instance.answer_type in ("number", "count") else f'"{answer}"'
    return f"Looking at the records, the answer is {answer}.\n" + f'{{"answer": {value}}}'


def _wrong(instance: Instance, kinds: tuple[str, ...]) -> str:
    """The answer that a mistake of these kinds yields, otherwise a value that the records do not hold."""
    mistakes = [one for one in instance.distractors if one.value != instance.answer]
    of_kind = [one.value for one in mistakes if one.code.startswith(kinds)]
    return _written(instance, of_kind[0] if of_kind else _invented(instance, {one.value for one in mistakes}))


def _invented(instance: Instance, taken: set[str]) -> str:
    """A plausible value near the gold that no known mistake gives."""
    if instance.answer_type not in ("number", "count"):
        return next(iter(sorted(taken)), "2100-01-01 00:00:00")
    gold = Decimal(instance.answer or "0")
    whole = gold == gold.to_integral_value()
    step = max(abs(gold) / 10, Decimal(2 if whole or abs(gold) > 9 else "0.2")).quantize(gold)
    while str(gold) == instance.answer or str(gold) in taken:
        gold += step
    return str(gold)
