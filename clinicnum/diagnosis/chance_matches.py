"""Measure how often an answer equals a distractor by chance; taxonomy codes for which it often does are not
suggested.

The rate is per template and code. Each instance that has a distractor of the code is paired with the right
answers of other subjects to the same template, if these are wrong for the instance; the rate is the share of
pairs in which the answer equals a distractor of the code. All pairs of a benchmark are counted, none are
sampled. Answers that happen to be right for the instance too are left out, as a right answer needs no cause
(with them the rate would be lower).

Dates never recur between subjects, so a time is transferred by the index of its record: the other subject's
third record becomes this one's third.

A code with a rate above MOST is silent, that is, not suggested. A benchmark's own rates are used for a
template with ENOUGH instances of as many subjects: the rate is in effect a mean over instances, so its
standard error at 10 % is then at most 3 points. Otherwise the shipped table is used, counted on a synthetic
benchmark (`scripts/dev/chance_match_rates.py`). A code without either rate is silent.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

from clinicnum.diagnosis.distractor_matches import answer_of, equals
from clinicnum.types import TIME_FORMAT, Instance

MOST = 0.10
ENOUGH = 100


@dataclass(frozen=True)
class Rate:
    """How often answers match distractors of one code by chance, on one template."""

    pairs: int
    """Pairs of an instance and another subject's answer that is wrong for it."""
    matches: int
    source: str = "benchmark"
    """`benchmark` or `shipped`."""

    @property
    def share(self) -> float | None:
        """matches / pairs; None without pairs."""
        return self.matches / self.pairs if self.pairs else None

    @property
    def silent(self) -> bool:
        """Whether a match is no evidence: chance matches are too frequent, or it is unknown how frequent."""
        return self.share is None or self.share > MOST


@dataclass(frozen=True)
class Rates:
    """Chance match rates by (template, code)."""

    by_code: Mapping[tuple[str, str], Rate]

    def speaks(self, instance: Instance, code: str) -> bool:
        """Whether a match with this code is evidence for an instance of this template."""
        rate = self.by_code.get((instance.template_id, code))
        return rate is not None and not rate.silent

    def silences(self, instance: Instance, code: str) -> bool:
        """Whether there is a rate for this code and the instance's template, and a match is no evidence by
        it.
        """
        rate = self.by_code.get((instance.template_id, code))
        return rate is not None and rate.silent

    def meta(self) -> dict[str, object]:
        """The rates for the suggestions' meta file: by template and code, the share or why there is none."""
        told: dict[str, dict[str, object]] = defaultdict(dict)
        for (template, code), rate in sorted(self.by_code.items()):
            share = rate.share
            told[template][code] = {
                "pairs": rate.pairs,
                "share": None if share is None else round(share, 4),
                "silent": rate.silent,
                "source": rate.source,
            }
        return {"silent_above": MOST, "instances_needed": ENOUGH, "rates": dict(told)}


@dataclass
class _Answers:
    """The right answers to one template, by subject."""

    by_answer: Counter[str] = field(default_factory=Counter)
    by_subject: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, subject: str, answer: str) -> None:
        self.by_answer[answer] += 1
        self.by_subject[subject][answer] += 1

    def of_others(self, subject: str) -> Iterable[tuple[str, int]]:
        """Yield each right answer of subjects other than this one, and how often it occurs."""
        mine = self.by_subject.get(subject, Counter())
        return ((a, n - mine[a]) for a, n in self.by_answer.items() if n > mine[a])


def count_rates(instances: Iterable[Instance]) -> tuple[dict[tuple[str, str], Rate], dict[str, int]]:
    """Rates by (template, code), and by template the number of instances (or of subjects, if fewer) behind
    them.

    A question counts once, whatever its representations; its variants count as instances, not as answers.
    """
    answers: dict[str, _Answers] = defaultdict(_Answers)
    seen: set[tuple[str, str | None, tuple[str, ...]]] = set()
    asked: dict[str, list[Instance]] = defaultdict(list)
    for instance in instances:
        key = (instance.group_id, instance.answer, tuple(d.value for d in instance.distractors))
        if instance.scoring != "numeric" or key in seen:
            continue
        seen.add(key)
        asked[instance.template_id].append(instance)
        if instance.variant is None and instance.answer is not None:
            answers[instance.template_id].add(instance.subject_id, _transferable(instance))
    rates: dict[tuple[str, str], Rate] = {}
    for template, those in asked.items():
        for code, (pairs, matches) in _count(those, answers[template]).items():
            rates[template, code] = Rate(pairs, matches)
    sizes = {
        template: min(len(those), len({one.subject_id for one in those})) for template, those in asked.items()
    }
    return rates, sizes


def _transferable(instance: Instance) -> str:
    """An answer in a form that transfers to another subject: a number, or the index of its record."""
    assert instance.answer is not None
    if instance.answer_type != "datetime":
        return instance.answer
    times = [record.charttime.strftime(TIME_FORMAT) for record in instance.records]
    return f"#{times.index(instance.answer)}" if instance.answer in times else instance.answer


def _count(instances: Sequence[Instance], answers: _Answers) -> dict[str, tuple[int, int]]:
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for instance in instances:
        by_code: dict[str, list[str]] = defaultdict(list)
        for distractor in instance.distractors:
            by_code[distractor.code].append(distractor.value)
        for other, often in answers.of_others(instance.subject_id) if by_code else ():
            drawn = _transferred_to(instance, other)
            answer = answer_of(instance, drawn)
            if drawn is None or answer is None or _same(instance, answer, drawn):
                continue
            for code, values in by_code.items():
                counts[code][0] += often
                if any(equals(instance, answer, drawn, value) for value in values):
                    counts[code][1] += often
    return {code: (pairs, matches) for code, (pairs, matches) in counts.items()}


def _transferred_to(instance: Instance, other: str) -> str | None:
    """The transferred answer of another subject as an answer to this instance; None for an index beyond its
    records.
    """
    if not other.startswith("#"):
        return other
    index = int(other[1:])
    return instance.records[index].charttime.strftime(TIME_FORMAT) if index < len(instance.records) else None


def _same(instance: Instance, answer: float | str, drawn: str) -> bool:
    return instance.answer is not None and equals(instance, answer, drawn, instance.answer)


def rates_for(instances: Sequence[Instance]) -> Rates:
    """The rates to use: a benchmark's own if it has enough instances, otherwise the shipped ones."""
    own, sizes = count_rates(instances)
    shipped = shipped_rates()
    chosen: dict[tuple[str, str], Rate] = {}
    codes = {(one.template_id, d.code) for one in instances for d in one.distractors}
    for template, code in sorted(codes):
        rate = own.get((template, code), Rate(0, 0))
        if sizes.get(template, 0) < ENOUGH:
            rate = shipped.get((template, code), Rate(0, 0))
        chosen[template, code] = rate
    return Rates(chosen)


@cache
def shipped_rates() -> Mapping[tuple[str, str], Rate]:
    """The shipped table, generated by `scripts/dev/chance_match_rates.py`."""
    import yaml

    text = resources.files("clinicnum.diagnosis").joinpath("chance_matches.yaml").read_text(encoding="utf-8")
    table = yaml.safe_load(text)["templates"]
    return {
        (template, code): Rate(pairs, matches, "shipped")
        for template, codes in table.items()
        for code, (pairs, matches) in codes.items()
    }
