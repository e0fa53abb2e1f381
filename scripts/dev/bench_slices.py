"""Benchmark of the slice search: 200,000 answers of 20 models, with the facets of the explore page.

Usage: python -m clinicnum.scripts.dev.bench_slices [--questions 10000] [--models 20] [--repeats 5]

Questions are those of a synthetic benchmark, repeated with other patients; the chances of being right vary
between models, templates and patients, notes are harder for all, and one model fails on the temperature in
long contexts. Printed are wall and CPU seconds of each search, each with another split of patients, and the
memory that the process needs beyond its frame.
"""

import argparse
import time
from collections.abc import Iterator
from resource import RUSAGE_SELF, getrusage
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from clinicnum.annotations.explore.generation_frame import AnswerTable, QuestionTable, make_frame
from clinicnum.annotations.explore.worst_slices import SEARCHED, slice_table
from clinicnum.slices.find_slices import find_slices

SEED = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=10_000)
    parser.add_argument("--models", type=int, default=20)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    frame = make_frame(list(_parts(options.questions, options.models)))
    before = getrusage(RUSAGE_SELF).ru_maxrss
    seconds, of_cpu = [], []
    for seed in range(options.repeats):
        start, cpu = time.perf_counter(), time.process_time()
        found = find_slices(
            slice_table(frame, np.ones(len(frame), dtype=bool)),
            [name for name in SEARCHED if name in frame.facets],
            subject="patient",
            run="run",
            seed=seed,
        )
        seconds.append(time.perf_counter() - start)
        of_cpu.append(time.process_time() - cpu)
    print(f"{len(frame):,} answers of {found.n_subjects:,} patients, {found.n_candidates:,} candidates")
    for name, every in (("wall", seconds), ("CPU", of_cpu)):
        print(f"{name} seconds: {', '.join(f'{one:.2f}' for one in every)}")
    print(f"memory beyond the frame: {(getrusage(RUSAGE_SELF).ru_maxrss - before) / 1024:.0f} MB")
    for one in found.slices:
        print(f"{one.run or 'all'}: {one}: {one.accuracy:.1%} right, {one.rest_accuracy:.1%} elsewhere")


def _parts(questions: int, models: int) -> Iterator[tuple[QuestionTable, AnswerTable]]:
    import clinicnum

    asked = [one.model_dump(mode="json") for one in clinicnum.generate(preset="paper", seed=SEED)]
    asked = [_again(asked[at % len(asked)], at // len(asked)) for at in range(questions)]
    table = QuestionTable.of((f"q{at}", one) for at, one in enumerate(asked))
    rng = np.random.default_rng(SEED)
    patients, of_patient = pd.factorize(pd.Series([one["subject_id"] for one in asked]))
    templates, of_template = pd.factorize(pd.Series([one["template_id"] for one in asked]))
    odds = rng.normal(0, 0.5, len(of_patient))[patients] + rng.normal(0, 0.4, len(of_template))[templates]
    odds -= 0.6 * np.array([one["representation"] == "note" for one in asked])
    long = np.array([_is_long_temperature(one) for one in asked])
    for model in range(models):
        own = odds + rng.normal(0.8, 0.5) + rng.normal(0, 0.5, len(of_template))[templates]
        right = rng.random(questions) < 1 / (1 + np.exp(-(own - 1.75 * long * (model == 3))))
        yield table, _answers(right, f"model {model}")


def _again(one: dict[str, Any], times: int) -> dict[str, Any]:
    return one | {"subject_id": f"{one['subject_id']}-{times}"}


def _is_long_temperature(one: dict[str, Any]) -> bool:
    return len(one["context"]) >= 4_000 and "temperature_c" in {cell["vital"] for cell in one["evidence"]}


def _answers(right: NDArray[np.bool_], model: str) -> AnswerTable:
    rows = (
        (f"{model}-{at}", at, {"finish_reason": "stop"}, {"status": "correct" if one else "incorrect"})
        for at, one in enumerate(right.tolist())
    )
    return AnswerTable.of(rows, run=model, model=model)


if __name__ == "__main__":
    main()
