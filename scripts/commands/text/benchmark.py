"""Output of `clinicnum generate`: the summary of a benchmark, or one worked solution."""

from collections.abc import Iterable, Iterator
from typing import Any

from clinicnum.credentialed_data import CREDENTIALED_SOURCES
from clinicnum.errors import InputError
from clinicnum.generation.presets import PUBLISHED_PER_REPRESENTATION
from clinicnum.stats.rounded_figures import rounded
from clinicnum.types import Instance

DOUBTS = {
    "unproven": "of which a wording is not proven to ask what the rule computes",
    "unreviewed": "that no expert has reviewed",
}
"""Words for what a benchmark's meta data say about its templates."""
NAMED = 6
"""Number of templates named in a line at most."""


def summary(meta: dict[str, Any], out: str) -> Iterator[str]:
    """Yield lines that describe a benchmark, from its meta data; `out` is the file that they name."""
    counts, made, asked = meta["counts"], meta["counts"]["questions"], meta["quotas"]
    yield f"{out}: {counts['instances']} instances, {len(meta['representations'])} representations"
    closed = "credentialed" if meta["source"] in CREDENTIALED_SOURCES else "not known to be open"
    yield f"source {meta['source']}, {meta['records']} records{f', {closed}' * meta['credentialed']}"
    yield f"{'operation':<14}{'asked':>7}{'made':>7}{'flagged':>9}"
    for operation, quota in asked.items():
        of_it = [n for name, n in counts["flagged"].items() if name.split(".")[0] == operation]
        short = " all that valid records allow" if made.get(operation, 0) < quota else ""
        yield f"{operation:<14}{quota:>7}{made.get(operation, 0):>7}{sum(of_it):>9}{short}"
    yield from _templates(counts["templates"], counts["flagged"], meta["baselines"])
    never = counts["never_asked"]
    if never:
        more = f" and {len(never) - NAMED} more" if len(never) > NAMED else ""
        yield f"never asked, for want of quota or of records that fit: {', '.join(never[:NAMED])}{more}"
    for doubt, said in DOUBTS.items():
        if meta["doubts"][doubt]:
            yield f"templates {said}: {len(meta['doubts'][doubt])} of {len(counts['templates'])}"
    for title, table in (
        ("values cleaned", meta["cleaning"]),
        ("rows left out where the vital is needed", meta["dropped_rows"]),
        ("candidates rejected", meta["rejected"]),
        ("notes left out", meta["notes"].get("left_out", {})),
    ):
        yield from _tally(title, table)
    yield from tallies(meta["variants"])
    if meta["preset"] == "paper":
        total = sum(made.values())
        yield (
            f"per representation: {total} made of {sum(asked.values())} asked; the published benchmark has "
            f"{PUBLISHED_PER_REPRESENTATION:,}, {PUBLISHED_PER_REPRESENTATION - total} more than this one"
        )


ENTRIES = 30
"""Most entries per line."""


def tallies(variants: dict[str, Any]) -> Iterator[str]:
    """Yield lines on the variants of a benchmark: number of each, and items without any."""
    for title, of in (("variants", "made"), ("rejected", "rejected"), ("without room", "not_applicable")):
        yield from _tally(title if of == "made" else f"variants {title}", variants.get(of, {}))


def _tally(title: str, table: dict[str, int]) -> Iterator[str]:
    """Yield a line with the entries; with the largest and the sum of the others where there are many."""
    most = sorted(table, key=lambda rule: -table[rule])[:ENTRIES]
    shown = [f"{rule} {table[rule]}" for rule in table if rule in most]
    rest = [n for rule, n in table.items() if rule not in most]
    if rest:
        shown.append(f"and {sum(rest):,} of {len(rest)} others (in the .meta.json)")
    if shown:
        yield f"{title}: {', '.join(shown)}"


def _templates(made: dict[str, int], flagged: dict[str, int], shares: dict[str, Any]) -> Iterator[str]:
    wide = max(map(len, made), default=0) + 2
    yield (
        f"{'template':<{wide}}{'made':>7}{'flagged':>9}"
        f"{'first rec.':>12}{'last rec.':>11}{'zero':>7}{'majority':>10}"
    )
    for name, count in made.items():
        share = {
            baseline: "-" if value is None else f"{rounded(100 * value, 0)} %"
            for baseline, value in shares[name].items()
        }
        yield (
            f"{name:<{wide}}{count:>7}{f'{rounded(100 * flagged.get(name, 0) / count, 0)} %':>9}"
            f"{share['first_record']:>12}{share['last_record']:>11}{share['zero']:>7}{share['majority']:>10}"
        )


def explanation(instances: Iterable[Instance], wanted: str) -> str:
    """The worked solution of the first instance with this id, group id or template id.

    Raises InputError if there is none.
    """
    found = next(
        (one for one in instances if wanted in (one.instance_id, one.group_id, one.template_id)), None
    )
    if found is None:
        raise InputError(
            f"--explain: no instance {wanted!r}; give an instance, group or template id of this benchmark"
        )
    unit = f" {found.unit}" if found.unit else ""
    variant = f", variant {found.variant}" if found.variant else ""
    exactly = f" (exactly {found.answer_exact})" if found.answer_exact else ""
    answer = "none: the records do not say" if found.answer is None else f"{found.answer}{unit}{exactly}"
    lines = [
        f"instance {found.instance_id}, template {found.template_id} "
        f"version {found.template_version}{variant}",
        "",
        found.context,
        "",
        f"question: {found.question}",
        *(f"option {letter}: {text}" for letter, text in zip("ABCDEFGH", found.options, strict=False)),
        "",
        *(f"{number}. {step}" for number, step in enumerate(found.worked, start=1)),
        "",
        f"answer: {answer}",
        f"flags: {', '.join(found.flags) or 'none'}",
        *(f"mistake {d.value}: {d.rule} ({d.code})" for d in found.distractors),
    ]
    return "\n".join(lines)
