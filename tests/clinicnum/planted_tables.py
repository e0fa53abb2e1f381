"""Runs whose true figures are known, for the tables of papers.

Every answer is right with the chance expit(eta + effect of its factor). Eta is the sum of the level of its
template's operation, its steps, the patient's sex and age, and normal effects of template and subject. All
are drawn anew for every run: sex and age of each subject, operation and steps of each template. So a figure
of other subjects and other templates has its truth over all that there could be; one of these templates over
all subjects, on the templates of the run. Both follow by summing over the kinds and Gauss-Hermite quadrature.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

import numpy as np
from scipy.special import expit, ndtr

from clinicnum.robustness.run_answers_and_pairs import Answer, Run
from clinicnum.types import Generation, Instance, Record, Score

Floats = Any
SUBJECTS, TEMPLATES, QUESTIONS = 60, 40, 15
"""And questions of each template."""
LEVEL = {"retrieval": 1.2, "arithmetic": 0.4, "comparison": 0.7, "aggregation": 0.0}
STEPS = (0.3, 0.0, -0.3)
"""Effect of no, one and two steps."""
SEX, AGE = {"F": 0.3, "M": -0.2}, {30: 0.2, 50: 0.0, 70: -0.2, 85: -0.3}
BY_SUBJECT, BY_TEMPLATE = 0.5, 0.5
KINDS = {
    "input.typo": -0.4,
    "input.synonym": -0.2,
    "missing.masked": -0.8,
    "numeric.relevant": -0.6,
    "prompt.persona.nurse.bold": 0.3,
    "prompt.persona.teacher.cautious": -0.3,
}
"""Kind of variant -> its effect on the logit."""
EXPECTED = {"missing.masked": "abstains", "numeric.relevant": "follows"}
EFFECTS = {"base": 0.0, "templated": -0.25} | KINDS
"""The second representation too."""
GOLD, ERROR_MIDDLE, ERROR_OWN, ERROR_SUBJECT = 100.0, 8.0, 0.7, 0.4
"""Of wrong answers: the median error is 8, its logarithm normal around it, by answer and by subject."""
TOKENS, TOKENS_WRONG, TOKENS_OWN, TOKENS_SUBJECT = 4.0, 0.25, 0.5, 0.2
"""Logarithm of the tokens: its middle, what wrong answers have more, and how it varies."""
SURE, SURE_SLOPE = 0.5, 0.8
"""Confidence is expit(0.5 + 0.8 eta): too sure where eta is low, and the other way round."""
_X, _W = np.polynomial.hermite_e.hermegauss(61)
_W = _W / _W.sum()


@dataclass(frozen=True)
class Drawn:
    """One run, and what was drawn for it."""

    run: Run
    operation: Floats
    """[templates]"""
    steps: Floats
    of_template: Floats
    """The logit of each template: level, steps and its own effect."""


def draw(rng: np.random.Generator) -> Drawn:
    """A run on new subjects and templates."""
    operation, steps = rng.choice([*LEVEL], TEMPLATES), rng.integers(0, len(STEPS), TEMPLATES)
    of_template = np.array([LEVEL[one] for one in operation]) + np.array(STEPS)[steps]
    of_template = of_template + BY_TEMPLATE * rng.standard_normal(TEMPLATES)
    sex, age = rng.choice([*SEX], SUBJECTS), rng.choice([*AGE], SUBJECTS)
    of_subject = np.array([SEX[one] for one in sex]) + np.array([AGE[one] for one in age])
    of_subject = of_subject + BY_SUBJECT * rng.standard_normal(SUBJECTS)
    wide, long = (sd * rng.standard_normal(SUBJECTS) for sd in (ERROR_SUBJECT, TOKENS_SUBJECT))
    template = np.repeat(np.arange(TEMPLATES), QUESTIONS)
    subject = rng.integers(0, SUBJECTS, len(template))
    eta = of_template[template] + of_subject[subject]
    answers: dict[str, Answer] = {}
    for kind, effect in EFFECTS.items():
        logit, n = eta + effect, len(eta)
        right = rng.random(n) < expit(logit)
        error = ERROR_MIDDLE * np.exp(wide[subject] + ERROR_OWN * rng.standard_normal(n))
        spread = long[subject] + TOKENS_OWN * rng.standard_normal(n)
        tokens, sure = np.exp(TOKENS + TOKENS_WRONG * ~right + spread), expit(SURE + SURE_SLOPE * logit)
        for at in range(n):
            t, s = template[at], subject[at]
            asked = _instance(at, kind, s, t, str(operation[t]), int(steps[t]), sex[s], int(age[s]))
            answers[asked.instance_id] = _answer(asked, right[at], error[at], tokens[at], sure[at])
    return Drawn(Run("planted", answers), operation, steps, of_template)


def _instance(
    i: int, kind: str, subject: int, template: int, operation: str, steps: int, sex: str, age: int
) -> Instance:
    record = Record.model_construct(
        subject_id=f"s{subject:03}", charttime=datetime(2180, 1, 1), age_years=age, gender=sex
    )
    variant = kind if kind in KINDS else None
    return Instance.model_construct(
        instance_id=f"{kind}-{i}",
        group_id=f"g{i}",
        template_id=f"t{template:02}",
        operation=operation,
        steps=steps,
        representation="templated" if kind == "templated" else "structured",
        variant=variant,
        base_id=f"base-{i}" if variant else None,
        expected=EXPECTED.get(kind, "same") if variant else None,
        answer=str(GOLD),
        answer_type="number",
        unit="mmHg",
        subject_id=f"s{subject:03}",
        records=(record,),
        flags=(),
        options=(),
        dimensions={},
    )


def _answer(instance: Instance, right: bool, error: float, tokens: float, sure: float) -> Answer:
    name = instance.instance_id
    said = instance.answer if right else str(Decimal(f"{GOLD + error:.6f}"))
    made = Generation.model_construct(
        generation_id=name,
        instance_id=name,
        text="",
        completion_tokens=tokens,  # no whole number, so that its mean is exactly known
        answer_confidence=sure,
    )
    judged = Score.model_construct(
        generation_id=name, parsed=said, status="correct" if right else "incorrect", lenient=bool(right)
    )
    return Answer(instance, made, judged)


@dataclass(frozen=True)
class Truth:
    """True figures of some of the questions; `kind` is what these are asked under."""

    drawn: Drawn
    operation: str | None = None
    steps: int | None = None
    template: int | None = None
    sex: str | None = None
    age: int | None = None

    def _over(self, of: Callable[[Floats], Floats], *, these: bool) -> float:
        """Mean of a function of eta over subjects, and over other templates or those of this run."""
        whose = [
            SEX[sex] + AGE[age]
            for sex in SEX
            for age in AGE
            if self.sex in (None, sex) and self.age in (None, age)
        ]
        parts = self._these() if these else self._others()
        sd = BY_SUBJECT if these else float(np.hypot(BY_SUBJECT, BY_TEMPLATE))
        eta = np.add.outer(np.add.outer(np.array(parts), whose), sd * _X)
        return float((of(eta) * _W).sum(axis=-1).mean())

    def _these(self) -> Floats:
        chosen = np.ones(TEMPLATES, dtype=bool)
        if self.operation is not None:
            chosen &= self.drawn.operation == self.operation
        if self.steps is not None:
            chosen &= self.drawn.steps == self.steps
        if self.template is not None:
            chosen &= np.arange(TEMPLATES) == self.template
        return self.drawn.of_template[chosen]

    def _others(self) -> list[float]:
        levels = [level for name, level in LEVEL.items() if self.operation in (None, name)]
        steps = [effect for at, effect in enumerate(STEPS) if self.steps in (None, at)]
        return [level + effect for level in levels for effect in steps]

    def accuracy(self, *kinds: str, these: bool = False) -> float:
        """Of other templates, or of these; the mean of several kinds."""
        found = [self._over(lambda eta, e=EFFECTS[kind]: expit(eta + e), these=these) for kind in kinds]
        return float(np.mean(found))

    def difference(self, kind: str) -> float:
        """From the base, on these templates."""
        return self.accuracy(kind, these=True) - self.accuracy("base", these=True)

    def broken(self, *kinds: str, these: bool = False) -> float:
        """Wrong under at least one of these kinds, of those right in the base."""

        def all_right(eta: Floats) -> Floats:
            return np.prod([expit(eta + EFFECTS[kind]) for kind in ("base", *kinds)], axis=0)

        return 1 - self._over(all_right, these=these) / self.accuracy("base", these=these)

    def gained(self, kind: str) -> float:
        """Right under this kind, of those wrong in the base."""
        both = self._over(lambda eta: (1 - expit(eta)) * expit(eta + EFFECTS[kind]), these=False)
        return both / (1 - self.accuracy("base"))

    def confidence(self, kind: str) -> float:
        """Mean confidence on these templates."""
        return self._over(lambda eta: expit(SURE + SURE_SLOPE * (eta + EFFECTS[kind])), these=True)

    def brier(self, kind: str) -> float:
        """On these templates."""

        def square(eta: Floats) -> Floats:
            chance = expit(eta + EFFECTS[kind])
            sure = expit(SURE + SURE_SLOPE * (eta + EFFECTS[kind]))
            return chance * (1 - sure) ** 2 + (1 - chance) * sure**2

        return self._over(square, these=True)


def within(error: float) -> float:
    """The chance that a wrong answer is at most so far off."""
    spread = np.hypot(ERROR_OWN, ERROR_SUBJECT)
    return float(ndtr(np.log(error / ERROR_MIDDLE) / spread))


def mean_tokens(*, wrong: bool) -> float:
    """The true mean of the tokens of right or wrong answers."""
    return float(np.exp(TOKENS + TOKENS_WRONG * wrong + (TOKENS_OWN**2 + TOKENS_SUBJECT**2) / 2))


def chance_longer() -> float:
    """The chance that a wrong answer has more tokens than a right one of another subject."""
    return float(ndtr(TOKENS_WRONG / np.sqrt(2 * (TOKENS_OWN**2 + TOKENS_SUBJECT**2))))
