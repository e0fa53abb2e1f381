"""Notes on how the raw rows of a bundle relate to the files they were loaded from, and to the current scorer.

They are facts for the reader, not faults of the bundle.
"""

from collections.abc import Iterator, Mapping

from clinicnum.annotations.bundle.bundle_file_paths import lines_path
from clinicnum.annotations.bundle.manifest import sha256
from clinicnum.annotations.bundle.raw_files import StudyMaterial
from clinicnum.errors import InputError
from clinicnum.scoring import score


def origin_notes(material: StudyMaterial, files: Mapping[str, bytes]) -> Iterator[str]:
    """Yield one sentence on the benchmark, one on each file of generations, and one on the scores."""
    yield _benchmark(material, files)
    yield from _runs(material)
    yield _scores(material)


def _benchmark(material: StudyMaterial, files: Mapping[str, bytes]) -> str:
    tables = material.tables
    named = tables.benchmark.get("sha256")
    held = sha256(files[lines_path("instances")])
    if named is None:
        return "benchmark: its description names no hash of the file"
    if named == held:
        return f"benchmark: the very file that was run, sha256 {held[:12]}"
    return (
        f"benchmark: {len(tables.instances)} instances that were answered, out of the file with sha256 "
        f"{str(named)[:12]}"
    )


def _runs(material: StudyMaterial) -> Iterator[str]:
    tables = material.tables
    by_file: dict[str, list[str]] = {}
    for run_id, meta in tables.runs.items():
        by_file.setdefault(str(meta.get("sha256") or ""), []).append(run_id)
    for named, run_ids in by_file.items():
        who = ", ".join(run_ids)
        mine = [one for one in tables.generations if one.run_id in run_ids]
        held = sha256(b"".join(one.model_dump_json().encode() + b"\n" for one in mine))
        if not named:
            yield f"run {who}: its description names no hash of the file"
        elif named == held:
            yield f"run {who}: the very file that was scored, sha256 {held[:12]}"
        else:
            yield (
                f"run {who}: {len(mine)} generations, not in the order of the file with sha256 "
                f"{named[:12]} or not all of it, so that its hash cannot be computed from them"
            )


def _scores(material: StudyMaterial) -> str:
    tables = material.tables
    instances = {one.instance_id: one for one in tables.instances}
    generations = {one.generation_id: one for one in tables.generations}
    other = unscorable = 0
    for one in tables.scores:
        generation = generations[one.generation_id]
        try:
            again = score(instance=instances[generation.instance_id], generation=generation)
        except InputError:
            unscorable += 1
        else:
            other += (again.status, again.strict, again.lenient) != (one.status, one.strict, one.lenient)
    same = len(tables.scores) - other - unscorable
    said = f"scores: {same} of {len(tables.scores)} are what the scorer of this version gives"
    said += f"; {other} differ" if other else ""
    return said + (f"; {unscorable} have a gold that it cannot use" if unscorable else "")
