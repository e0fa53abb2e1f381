"""Several answers of one model to the same questions: how often they are right, and how often they agree.

Every figure is a mean over questions of one number for each, so that the answers to a question count as one
item; its interval is over subjects. A question counts if it is answered in every sample, is no variant and
discriminates. For a question of which c of n answers are right:
- accuracy: c / n; right in all, some (neither all nor none), none;
- agreement: the share of the n (n - 1) / 2 pairs of answers that are both right or both wrong;
- majority: whether the most frequent value is right (Wang et al. 2022, "Self-consistency improves chain of
  thought reasoning in language models"); an abstention is a value, an answer in which none was read is no
  vote, and of equally frequent values each counts alike;
- pass@k: the chance that at least one of k answers is right, 1 - C(n - c, k) / C(n, k), without bias (Chen et
  al. 2021, "Evaluating large language models trained on code", arXiv:2107.03374).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import comb

import numpy as np

from clinicnum.errors import InputError
from clinicnum.robustness.run_answers_and_pairs import Answer, Run, same_value
from clinicnum.stats.clustered_intervals import Subjects
from clinicnum.stats.interval_estimate import Figure, share_of, undefined_figure

NO_QUESTION = "no question was answered in every sample"
ONE_SAMPLE = "one sample; two are needed to agree or not"


@dataclass(frozen=True)
class SampleFigures:
    """Figures of the samples of one model; shares are from 0 to 1."""

    n_samples: int
    n_questions: int
    n_left_out: int
    """Questions that count but for an answer that is missing, or failed, in some sample."""
    accuracy: Figure
    right_in_all: Figure
    right_in_some: Figure
    right_in_none: Figure
    agreement: Figure
    majority: Figure
    pass_at: dict[int, Figure]
    """k -> pass@k; k are powers of two, and the number of samples."""


def compare_samples(samples: Sequence[Run]) -> SampleFigures:
    """The figures of runs that are samples of one model. Raises InputError for none."""
    if not samples:
        raise InputError("no sample was given; give at least one")
    n = len(samples)
    answers = [{one.instance.instance_id: one for one in run.bases} for run in samples]
    asked = set[str]().union(*answers)
    common = sorted(name for name in asked if all(name in run for run in answers))
    questions = [[run[name] for run in answers] for name in common]
    subjects = Subjects.of(question[0].subject for question in questions)
    right = [sum(one.right for one in question) for question in questions]

    def mean(value: Callable[[int], float]) -> Figure:
        return share_of(subjects, np.array([value(c) for c in right], dtype=float), without=NO_QUESTION)

    pairs = comb(n, 2)
    votes = np.array([majority_right(question) for question in questions], dtype=float)
    return SampleFigures(
        n_samples=n,
        n_questions=len(questions),
        n_left_out=len(asked) - len(common),
        accuracy=mean(lambda c: c / n),
        right_in_all=mean(lambda c: c == n),
        right_in_some=mean(lambda c: 0 < c < n),
        right_in_none=mean(lambda c: c == 0),
        agreement=mean(lambda c: (comb(c, 2) + comb(n - c, 2)) / pairs)
        if pairs
        else undefined_figure(ONE_SAMPLE),
        majority=share_of(subjects, votes, without=NO_QUESTION),
        pass_at={k: mean(partial(pass_at, n, k=k)) for k in _ks(n)},
    )


def pass_at(n: int, c: int, k: int) -> float:
    """Unbiased estimate of the chance that at least one of k answers is right, where c of n were; k <= n."""
    return 1 - comb(n - c, k) / comb(n, k)


def majority_right(question: Sequence[Answer]) -> float:
    """1 if the most frequent value of the answers is right, 0 if it is wrong; between, where several are
    equally frequent and some of them right.
    """
    groups: list[tuple[str, list[bool]]] = []
    for one in question:
        value = one.score.parsed
        if value is None and one.score.status == "abstained":
            value = "abstained"
        if value is None:
            continue
        found = next((rights for known, rights in groups if same_value(known, value)), None)
        if found is None:
            groups.append((value, [one.right]))
        else:
            found.append(one.right)
    most = max((len(rights) for _, rights in groups), default=0)
    first = [right for _, rights in groups if len(rights) == most for right in rights]
    return sum(first) / len(first) if first else 0.0


def _ks(n: int) -> list[int]:
    return sorted({*(1 << power for power in range(n.bit_length())), n})
