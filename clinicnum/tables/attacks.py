"""Right answers that harmless changes break: the share that any change breaks, and flips by axis.

An attack is a variant that keeps the right answer (`expected` same) and changes the item, not the prompt.
Dynamic red-teaming (DAS) asks how many right answers fail under any of its attacks; here the attacks are
those that the benchmark has. The more of them a question has, the more are broken, so their number is
reported. Orders of options attack only questions that have options themselves.

The axes masking, negation, synonyms and numbers are from LAPD (arXiv 2507.21188); the others are ours. An
answer is *lost* if it was right and is wrong by the variant's own gold: on masking, a value in place of "not
documented"; on numbers that move the gold, an answer that does not follow. Prompts are no axis.
"""

from collections.abc import Iterable, Sequence

from clinicnum.robustness.run_answers_and_pairs import SHUFFLE, Answer, Pair, Run, pairs_of, same_value
from clinicnum.stats.interval_estimate import Figure
from clinicnum.tables.paper_table import (
    ALL,
    MODEL,
    TWO_WAY_NOTE,
    Measure,
    PaperTable,
    Row,
    by_operation,
    crossed_share,
    each_run,
    table,
)

AXES: dict[str, str] = {
    "missing.masked": "masking",
    "missing.negated": "negation",
    "input.synonym": "synonyms",
    "numeric.relevant": "numbers",
    "numeric.irrelevant": "numbers",
    "input.restructure": "order of words",
    "input.typo": "typing slips",
    "input.distractor": "distraction",
    "chain.wrong_step": "a colleague's mistake",
    "chain.early_rounding": "a colleague's mistake",
    "chain.extra_step": "one step more",
}
"""Kind of variant -> axis; for other kinds, such as `representation`, the family."""
ORDER = (*dict.fromkeys(AXES.values()),)
PROMPT = "prompt."
Attacked = dict[str, tuple[Answer, list[Answer]]]
"""Base id -> answers to the base and to its attacks."""


def axis_of(kind: str) -> str:
    """The axis to which a kind of variant belongs; `A and B` for several kinds joined."""
    axes = dict.fromkeys(AXES.get(part) or part.split(".")[0] for part in kind.split("+"))
    return " and ".join(axes)


def by_axis(runs: Sequence[Run]) -> PaperTable:
    """Table of the answers that variants on each axis turn wrong, turn right or change, for every model."""

    def rows(run: Run) -> Iterable[Row]:
        found: dict[str, list[Pair]] = {}
        for pair in pairs_of(run)[0]:
            if pair.kind.startswith(PROMPT):
                continue
            found.setdefault(axis_of(pair.kind), []).append(pair)
        place = {name: at for at, name in enumerate(ORDER)}
        for axis in sorted(found, key=lambda one: (place.get(one, len(place)), one)):
            yield Row((axis,), _flips(found[axis]))

    made = sorted(each_run(runs, rows), key=lambda row: _axis_place(row.texts[1]))
    return table(
        "flips_by_axis",
        "Flips by axis and model",
        "Unit: pairs of a variant and the question that it rewrites, neither flagged (V7). Lost: wrong in "
        "the variant by its own gold, of those right in the base. Gained: right in the variant, of those "
        f"wrong in the base. Changed: another answer is read than in the base, right or not. {TWO_WAY_NOTE}",
        (("axis", "Axis"), MODEL),
        (Measure("lost", "Lost"), Measure("gained", "Gained"), Measure("changed", "Changed")),
        [Row((row.texts[1], row.texts[0]), row.figures) for row in made],
        "no variant (prompts and orders of the options count as none here) was answered with its base",
    )


def broken_by_any(runs: Sequence[Run]) -> PaperTable:
    """Table of the share of right answers that at least one attack breaks, by family of attacks and by
    operation.
    """
    return table(
        "broken_by_any_attack",
        "Right answers that any attack breaks",
        "Unit: questions answered with at least one variant that leaves the right answer alone and the "
        "prompt as it is, none flagged (V7). Broken: wrong in at least one of them, of those right in the "
        "base. Right throughout: right in the base and in all, of all questions. Attacks: their mean number "
        f"for each question; more attacks break more.{_orders(runs)} {TWO_WAY_NOTE}",
        (MODEL, ("attacks", "Attacks"), ("operation", "Operation"), ("per_question", "Attacks a question")),
        (Measure("broken", "Broken by any"), Measure("throughout", "Right throughout")),
        each_run(runs, _broken_rows),
        "no variant that leaves the right answer alone was answered with its base",
    )


def _orders(runs: Sequence[Run]) -> str:
    """A sentence on what a new order of options breaks by itself; empty where no attack is one."""
    any_order = any(SHUFFLE in (one.instance.variant or "") for run in runs for one in run.answers.values())
    return (
        " A new order of the options moves the right one to another letter in most cases: a model that keeps "
        "to a letter is broken by that alone."
    ) * any_order


def attacked(run: Run, family: str = ALL) -> Attacked:
    """Base id -> the answer to the base, and those to its attacks, of one family or all."""
    found: Attacked = {}
    for one in run.answers.values():
        base = run.answers.get(one.instance.base_id or "")
        if base is None or not _attack(one, base, family):
            continue
        found.setdefault(base.instance.instance_id, (base, []))[1].append(one)
    return found


def _attack(one: Answer, base: Answer, family: str) -> bool:
    kind = one.instance.variant or ""
    counts = not (one.failed or base.failed or one.instance.flags or base.instance.flags)
    same = one.instance.expected == "same" and PROMPT not in kind
    options = SHUFFLE not in kind or bool(base.instance.options)
    return counts and same and options and family in (ALL, kind.split(".")[0])


def _broken_rows(run: Run) -> Iterable[Row]:
    families = sorted(
        {(one.instance.variant or "").split(".")[0] for _, those in attacked(run).values() for one in those}
    )
    whole = attacked(run)
    for family in families if len(families) > 1 else ():
        found = attacked(run, family)
        bases = [base for base, _ in found.values()]
        yield Row((family, ALL, _per_question(bases, found)), _broken(bases, found))
    for operation, here in by_operation([base for base, _ in whole.values()]):
        yield Row((ALL, operation, _per_question(here, whole)), _broken(here, whole))


def _per_question(bases: Sequence[Answer], found: Attacked) -> str:
    return f"{sum(len(found[one.instance.instance_id][1]) for one in bases) / len(bases):.1f}"


def _broken(bases: Sequence[Answer], found: Attacked) -> tuple[Figure, ...]:
    def held(base: Answer) -> bool:
        return all(one.right for one in found[base.instance.instance_id][1])

    right = [one for one in bases if one.right]
    return crossed_share(right, lambda one: not held(one)), crossed_share(
        bases, lambda one: one.right and held(one)
    )


def _flips(pairs: Sequence[Pair]) -> tuple[Figure, ...]:
    of = {pair.variant.instance.instance_id: pair for pair in pairs}

    def base(variant: Answer) -> Answer:
        return of[variant.instance.instance_id].base

    right = [pair.variant for pair in pairs if pair.base.right]
    wrong = [pair.variant for pair in pairs if not pair.base.right]
    return (
        crossed_share(right, lambda one: not one.right),
        crossed_share(wrong, lambda one: one.right),
        crossed_share([pair.variant for pair in pairs], lambda one: _changed(one, base(one))),
    )


def _changed(variant: Answer, base: Answer) -> bool:
    return variant.score.parsed != base.score.parsed and not same_value(
        variant.score.parsed, base.score.parsed
    )


def _axis_place(axis: str) -> tuple[int, str]:
    return (ORDER.index(axis), "") if axis in ORDER else (len(ORDER), axis)
