"""Benchmark of agreement: all reported figures on a million labels, compared with other packages.

    python -m clinicnum.scripts.dev.bench_agreement [--items 200000] [--peer-items 200000]
        [--peer-subjects 100] [--repeats 3] [--without-peers]

Synthetic labels: 5 annotators on every item, 8 categories in uneven shares, 50 items per subject; an
annotator is right 7 times in 10. The table is in memory before the clock starts; reading it from a CSV is
timed separately. One core: CPU time of this process and wall time, the best of the repeats. The timed work
checks the labels and computes every nominal coefficient overall, for each category against the rest and for
each pair of annotators, each with its interval by subjects, and the cluster bootstrap of the overall ones.

The other packages run in the environment of `scripts/dev/oracles`, one coefficient at a time on the same
labels, converted to their own format before the clock starts (counts for statsmodels). They are compared by
wall time with `agreement(only=[that coefficient])`, which includes checks, standard error and interval. None
of them computes an interval for items that share a subject; its cost is estimated as one call for each
subject left out. On a smaller table these calls are actually made, and the resulting standard error is
printed beside ours.
"""

import argparse
import csv
import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clinicnum.annotations.agreement import AgreementResult
    from clinicnum.annotations.agreement.label_table import LabelTable

ANNOTATORS, CATEGORIES, ITEMS_A_SUBJECT = 5, 8, 50
SHARES = (0.3, 0.2, 0.15, 0.1, 0.1, 0.05, 0.05, 0.05)
RIGHT = 0.7
TARGET_S = 2.0
PEERS = (
    ("irrCAC", "fleiss_kappa"),
    ("irrCAC", "conger_kappa"),
    ("irrCAC", "brennan_prediger"),
    ("irrCAC", "gwet_ac1"),
    ("irrCAC", "krippendorff_alpha_nominal"),
    ("krippendorff", "krippendorff_alpha_nominal"),
    ("statsmodels", "fleiss_kappa"),
    ("statsmodels", "randolph_kappa_free"),
)
NAMES = [f"c{one}" for one in range(CATEGORIES)]


def main() -> None:
    """Run the benchmarks and print the figures."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy: one core
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--items", type=int, default=200_000)
    parser.add_argument("--peer-items", type=int, default=200_000)
    parser.add_argument("--peer-subjects", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--without-peers", action="store_true")
    options = parser.parse_args()
    time_clinicnum(options.items, options.repeats)
    if options.without_peers:
        return
    from clinicnum.errors import InputError

    try:
        beside_peers(options.peer_items, options.repeats)
        jackknifed_by_peers(options.peer_subjects, options.repeats)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)


def made_up(items: int, *, seed: int = 0) -> Any:
    """Synthetic labels, shape (items, annotators), with values from 0 to categories - 1."""
    import numpy as np

    rng = np.random.default_rng(seed)
    truth = rng.choice(CATEGORIES, size=items, p=SHARES)
    other = rng.integers(0, CATEGORIES, size=(items, ANNOTATORS))
    return np.where(rng.random((items, ANNOTATORS)) < RIGHT, truth[:, None], other)


def as_table(labels: Any, *, clustered: bool) -> "LabelTable":
    """The labels as a table in columns; if clustered, with subjects of `ITEMS_A_SUBJECT` items."""
    import numpy as np

    from clinicnum.annotations.agreement.label_table import Column, LabelTable

    items = len(labels)
    item = np.repeat(np.arange(items), ANNOTATORS)
    subject = item // ITEMS_A_SUBJECT
    return LabelTable(
        item=Column(item, tuple(f"item{one}" for one in range(items))),
        annotator=Column(np.tile(np.arange(ANNOTATORS), items), tuple("ABCDE")),
        label=Column(labels.ravel(), tuple(NAMES)),
        cluster=Column(subject, tuple(f"s{one}" for one in range(int(subject.max()) + 1)))
        if clustered
        else None,
    )


def time_clinicnum(items: int, repeats: int) -> None:
    """Time all of clinicnum's figures on one large table, and reading the table from a CSV."""
    from clinicnum.annotations.agreement import agreement

    table = as_table(made_up(items), clustered=True)
    agreement(as_table(made_up(200), clustered=True), scale="nominal", categories=NAMES, details=True)

    def whole() -> "AgreementResult":
        return agreement(table, scale="nominal", categories=NAMES, details=True)

    result, cpu, wall = timed(whole, repeats)
    rows = [*result.coefficients, *(row for pair in result.pairwise for row in pair.coefficients)]
    values = [row for row in rows if row.value is not None]
    print(
        f"{result.population.labels:,} labels: {items:,} items, {ANNOTATORS} annotators, {CATEGORIES} "
        f"categories, {result.population.clusters:,} subjects"
    )
    print(
        f"  {len(values)} values, {sum(row.ci95 is not None for row in values)} with an interval, "
        f"{len(result.pairwise)} pairs, {len(result.beside)} bootstrap intervals"
    )
    aim = f" (target {TARGET_S:.0f} s)" if result.population.labels >= 1_000_000 else ""
    print(f"  everything         {cpu:6.2f} s CPU, {wall:6.2f} s wall{aim}")
    _, cpu, wall = timed(lambda: agreement(table, scale="nominal", categories=NAMES), repeats)
    print(f"  without pairs and bootstrap {cpu:6.2f} s CPU, {wall:6.2f} s wall")
    print(f"  reading a CSV      {reading(table):6.2f} s CPU, apart")


def reading(table: "LabelTable") -> float:
    """CPU seconds to read the table from a CSV file."""
    from clinicnum.annotations.agreement.labels_csv import read_label_columns

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "labels.csv"
        with path.open("w", encoding="utf-8", newline="") as handle:
            writer = csv.writer(handle)
            writer.writerow(["item", "annotator", "label", "subject"])
            writer.writerows((row.item, row.annotator, row.label, row.cluster) for row in table.ratings())
        return timed(lambda: read_label_columns(path, cluster="subject"), 1)[1]


def beside_peers(items: int, repeats: int) -> None:
    """Time one coefficient at a time, by other packages and by clinicnum, on the same table."""
    from clinicnum.annotations.agreement import agreement
    from clinicnum.scripts.dev.run_agreement_packages import run_reference_packages

    labels = made_up(items)
    plain, clustered = as_table(labels, clustered=False), as_table(labels, clustered=True)
    subjects = -(-items // ITEMS_A_SUBJECT)
    asked = {"labels": labels.T.tolist(), "categories": CATEGORIES}
    answers = run_reference_packages([asked], figures=[list(peer) for peer in PEERS], repeats=repeats)
    versions = ", ".join(f"{name} {version}" for name, version in answers["versions"].items())
    print(f"\n{items:,} items, one coefficient at a time: {versions}")
    for answer in answers["tables"][0]:
        name, seconds = answer["name"], answer["seconds"]

        def one(table: "LabelTable", name: str = name) -> "AgreementResult":
            return agreement(table, scale="nominal", categories=NAMES, only=[name])

        result, _, wall = timed(partial(one, plain), repeats)
        _, _, by_subject = timed(partial(one, clustered), repeats)
        ratio, reckoned = seconds / wall, seconds * (subjects + 1) / by_subject
        print(
            f"  {answer['package']:12} {name:26} {_text(answer['value'])} in {seconds:7.3f} s, ours "
            f"{_text(result.coefficients[0].value)} in {wall:5.3f} s: {ratio:6.1f} x; with an interval by "
            f"{subjects:,} subjects (reckoned) {reckoned:10,.0f} x"
        )


def jackknifed_by_peers(subjects: int, repeats: int) -> None:
    """Time an interval by subjects: by leaving each subject out in the other packages, and as clinicnum
    computes it.
    """
    import numpy as np

    from clinicnum.annotations.agreement import agreement
    from clinicnum.scripts.dev.run_agreement_packages import run_reference_packages

    labels = made_up(subjects * ITEMS_A_SUBJECT)
    subject = np.arange(len(labels)) // ITEMS_A_SUBJECT
    tables = [
        {"labels": labels[subject != one].T.tolist(), "categories": CATEGORIES} for one in range(subjects)
    ]
    answers = run_reference_packages(tables, figures=[list(peer) for peer in PEERS])["tables"]
    table = as_table(labels, clustered=True)
    print(f"\n{subjects} subjects of {ITEMS_A_SUBJECT} items, each left out in turn and computed anew:")
    for place, first in enumerate(answers[0]):
        values = np.array([answer[place]["value"] for answer in answers])
        seconds = sum(answer[place]["seconds"] for answer in answers)
        se = float(np.sqrt((subjects - 1) / subjects * ((values - values.mean()) ** 2).sum()))
        work = partial(agreement, table, scale="nominal", categories=NAMES, only=[first["name"]])
        result, _, wall = timed(work, repeats)
        print(
            f"  {first['package']:12} {first['name']:26} se {se:.8f} in {seconds:7.3f} s, ours "
            f"{result.coefficients[0].se:.8f} in {wall:5.3f} s: {seconds / wall:8,.0f} x"
        )


def _text(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.6f}"


def timed(work: Callable[[], Any], repeats: int) -> tuple[Any, float, float]:
    """The result of the work, and its least CPU and wall seconds over the repeats."""
    cpu, wall, result = [], [], None
    for _ in range(repeats):
        started, begun = time.perf_counter(), time.process_time()
        result = work()
        cpu.append(time.process_time() - begun)
        wall.append(time.perf_counter() - started)
    return result, min(cpu), min(wall)


if __name__ == "__main__":
    main()
