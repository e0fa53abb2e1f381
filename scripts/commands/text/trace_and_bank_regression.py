"""As lines of text: a template's trace, and a bank regression, that is, which results a new bank changes."""

from collections.abc import Iterator

from clinicnum.annotations.curation.bank_regression import (
    SAID,
    AccuracyChange,
    Change,
    Regression,
    figure_text,
)
from clinicnum.db.work.release.template_trace import Trace, TracedBenchmark, TracedVersion

MOST_LISTED = 20
"""Number of changed instances and of changed scores listed at most; --json has them all."""


def trace_lines(trace: Trace) -> Iterator[str]:
    """Yield the trace of every version as lines of text, from the original failure to its accuracy."""
    yield trace.template_id
    for one in trace.versions:
        yield f"  version {one.version}, {one.status}"
        yield from (f"    {line}" for line in _version(one))


def _version(one: TracedVersion) -> Iterator[str]:
    for origin in one.origins:
        yield f"{origin.kind}: {origin}"
    if not one.origins:
        yield "failure: none; it was not made from one"
    if one.draft is None:
        yield "draft: none; it came with the program, from a file or with a benchmark"
    else:
        base = f", puts {one.draft.base} right" if one.draft.base else ""
        note = f": {' '.join(one.draft.note.split())}" if one.draft.note.strip() else ""
        yield f"draft: {one.draft.draft}, revision {one.draft.revision}{base}{note}"
    for each in one.rounds:
        handed_in = f"{each.submitted} of {each.experts} experts handed in"
        yield f"review: round {each.number}, {handed_in}, {each.status}"
    if not one.rounds:
        yield "review: none"
    for name, sha256 in one.releases:
        yield f"release: {name}, sha256 {sha256}"
    if not one.releases:
        yield "release: none"
    for benchmark in one.benchmarks:
        yield from _benchmark(benchmark)
    if not one.benchmarks:
        yield "benchmark: none asks it"


def _benchmark(one: TracedBenchmark) -> Iterator[str]:
    named = (
        f"made from release {one.release}, sha256 {one.release_sha256}" if one.release else "names no release"
    )
    yield f"benchmark: {one.benchmark_id}, {one.instances} instances of it, {named}"
    for run in one.runs:
        none = "" if run.studies else "; in no study"
        yield f"  run: {run.run_id} ({run.model}): accuracy {figure_text(run.accuracy)}{none}"
        for study in run.studies:
            yield f"    in study {study.name}, counted as in a report: accuracy {figure_text(study.accuracy)}"


def regression_lines(found: Regression) -> Iterator[str]:
    """Yield what a new bank changes as lines of text: instances, each model's accuracy, and scores of
    answers.
    """
    yield f"benchmark {found.benchmark_id}: {found.instances} instances"
    for kind, count in found.kinds.items():
        yield f"  {count:>6}  {SAID[kind]}"  # type: ignore[index]  # keys are kinds
    for effect in found.effects:
        yield from _effect(effect)
    yield from _listed("changed instances", [_change(one) for one in found.changes])
    turned = [
        f"{one.model}: {one.generation_id} on {one.instance_id} was {one.was}, is {one.now}: {one.why}"
        for one in found.flips
    ]
    yield from _listed("answers that turn", turned)


def _effect(one: AccuracyChange) -> Iterator[str]:
    yield one.model
    yield f"  as scored                      {figure_text(one.before)}"
    yield f"  without {one.removed} answers removed      {figure_text(one.without_removed)}"
    yield (
        f"  by the new golds               {figure_text(one.after)}, {one.turned_right} turned right, "
        f"{one.turned_wrong} turned wrong, {one.reworded} answers to another wording left out"
    )


def _change(one: Change) -> str:
    now = "" if one.version_now is None else f" -> {one.version_now}"
    return f"{one.instance_id} ({one.template_id} version {one.version}{now}): {SAID[one.kind]}; {one.why}"


def _listed(title: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield f"{title}: {len(lines)}"
    yield from (f"  {line}" for line in lines[:MOST_LISTED])
    if len(lines) > MOST_LISTED:
        yield f"  ... {len(lines) - MOST_LISTED} more; --json lists them all"
