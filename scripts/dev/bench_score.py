"""Benchmark of scoring: generations scored per second on one core, with suggestions.

Usage: python -m clinicnum.scripts.dev.bench_score [--instances 1500] [--repeats 40]
    [--benchmark FILE --generations FILE]

Without files: worked solutions of a synthetic benchmark with the answer in JSON, extended to about 300 and
1,000 characters by repeating the context, as models often do; half of them are right, half have one number
changed. Files are read before the clock starts. Printed are CPU times of this process, the best of the
repeats, as other work on the core can only add to them; also for scoring alone and for one wrong generation.
Each instance has one generation. Caches are emptied before every repeat, so that the table of a context (its
values and times) is built once for all its questions; the number of contexts is printed.
"""

import argparse
import functools
import gc
import random
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from clinicnum.types import Generation, Instance, Score

SEED = 5
SIZES = (300, 1000)
TARGETS = {300: 5_000, 1000: 1_500}
Pairs = list[tuple[Instance, Generation]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--instances", type=int, default=1500)
    parser.add_argument("--repeats", type=int, default=40)
    parser.add_argument("--benchmark", type=Path)
    parser.add_argument("--generations", type=Path)
    options = parser.parse_args()
    if options.benchmark and options.generations:
        _report("files", _from_files(options.benchmark, options.generations), options.repeats, None)
        return
    instances = _instances(options.instances)
    for size in SIZES:
        pairs = [(one, _generation(one, size, wrong=i % 2 == 1)) for i, one in enumerate(instances)]
        _report(f"about {size} characters", pairs, options.repeats, TARGETS[size])


def _from_files(benchmark: Path, generations: Path) -> Pairs:
    from clinicnum.io.benchmark import read_benchmark
    from clinicnum.io.jsonl import read_jsonl

    instances = read_benchmark(benchmark)
    return [(instances[g.instance_id], g) for g in read_jsonl(generations, Generation)]


def _instances(wanted: int) -> list[Instance]:
    from clinicnum.generation.benchmark import generate
    from clinicnum.records.loaded_records import contexts
    from clinicnum.records.synthetic import synthetic
    from clinicnum.templates.bank import load_bank
    from clinicnum.types import Operation

    shares: dict[Operation, float] = {
        "retrieval": 0.17,
        "arithmetic": 0.42,
        "comparison": 0.27,
        "aggregation": 0.14,
    }
    made = generate(
        contexts=contexts(synthetic(seed=SEED, stays=max(60, wanted // 6)).records, "stay"),
        templates=load_bank(),
        representations=("templated",),
        quotas={operation: round(share * wanted) for operation, share in shares.items()},
        seed=SEED,
    )
    return list(made.instances)


def _generation(instance: Instance, size: int, *, wrong: bool) -> Generation:
    """A worked solution of about `size` characters; in a wrong one a number and the answer are changed."""
    rng = random.Random(f"{SEED}:{instance.instance_id}")  # noqa: S311 -- reproducible, no secret
    working, answer = "\n".join(instance.worked), instance.answer or ""
    if wrong:
        numbers = list(re.finditer(r"(?<![\d:.-])\d{2,3}(?![\d:-])", working))
        if numbers:
            chosen = rng.choice(numbers)
            off = str(int(chosen[0]) + rng.choice([-7, -3, 2, 5, 11]))
            working = working[: chosen.start()] + off + working[chosen.end() :]
        answer = _another_answer(instance, rng)
    room = max(0, size - len(working) - len(answer) - 16)
    text = f'{instance.context[-room:] if room else ""}\n{working}\n{{"answer": "{answer}"}}'
    return Generation(
        generation_id=instance.instance_id,
        run_id="bench",
        instance_id=instance.instance_id,
        text=text[-size:],
        finish_reason="stop",
    )


def _another_answer(instance: Instance, rng: random.Random) -> str:
    """A wrong answer: one that a known mistake leads to, or an unrelated number."""
    if instance.distractors and rng.random() < 0.5:
        return rng.choice(instance.distractors).value
    if instance.answer_type == "datetime":
        return "2180-01-01 00:00:00"
    return str(rng.randrange(200, 900))


def _report(name: str, pairs: Pairs, repeats: int, target: int | None) -> None:
    from clinicnum.diagnosis import rates_for, suggest
    from clinicnum.scoring import score

    rates = rates_for([instance for instance, _ in pairs])

    def scored() -> list[Score]:
        return [score(instance=instance, generation=generation) for instance, generation in pairs]

    scores = scored()
    triples = [(*pair, judged) for pair, judged in zip(pairs, scores, strict=True)]

    def suggested(those: Sequence[tuple[Instance, Generation, Score]]) -> int:
        return sum(bool(suggest(instance=i, generation=g, score=s, rates=rates)) for i, g, s in those)

    wrong = [triple for triple in triples if not triple[2].strict]
    scoring, causes = _best(scored, repeats), _best(lambda: suggested(triples), repeats)
    contexts = len({instance.records for instance, _ in pairs})
    n, both = len(pairs), scoring + causes
    length = sum(len(generation.text) for _, generation in pairs) / n
    print(
        f"{name}: {n} generations of {length:.0f} characters, {len(wrong)} not strictly right, "
        f"{suggested(wrong)} with a suggestion; {contexts} contexts"
    )
    aim = f" (target {target:,})" if target else ""
    print(f"  scoring with suggestions  {n / both:10,.0f} generations a second{aim}")
    print(f"  scoring alone             {n / scoring:10,.0f}")
    if wrong:
        print(f"  one that is wrong costs   {1e6 * (scoring / n + causes / len(wrong)):10,.0f} µs, all told")


def _best(work: Callable[[], object], repeats: int) -> float:
    """CPU seconds of the fastest of the repeats."""

    seconds = []
    for _ in range(repeats):
        _forget()
        gc.collect()
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return min(seconds)


def _forget() -> None:
    """Empty every cache, as in a new process."""
    for held in gc.get_objects():
        if isinstance(held, functools._lru_cache_wrapper):
            held.cache_clear()


if __name__ == "__main__":
    main()
