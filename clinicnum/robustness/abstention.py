"""Whether a model abstains if, and only if, a needed value is not documented.

Sensitivity: the share of items with a withheld value (`expected` is to abstain) on which it abstains. False
abstention: the share of answerable items, variants left out, on which it abstains. Each means little without
the other: a model that always abstains has both at 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from clinicnum.robustness.run_answers_and_pairs import Answer, Pair, Run, representations_of, written_in
from clinicnum.robustness.variant_effects import NO_RERUN
from clinicnum.stats.interval_estimate import Figure, share, undefined_figure


@dataclass(frozen=True)
class AbstentionRow:
    """Abstention in one representation."""

    representation: str
    sensitivity: Figure
    false_abstention: Figure
    abstained_on_base: Figure
    """False abstention on the bases of the items with a withheld value: the same questions, answerable."""
    rerun_sensitivity: Figure
    """Sensitivity when the same items are asked again."""
    rerun_false_abstention: Figure


def abstention_rows(run: Run, pairs: Sequence[Pair], rerun: Run | None) -> tuple[AbstentionRow, ...]:
    """How a model abstains: one row per representation; empty if the benchmark withholds nothing."""
    withheld = [pair for pair in pairs if pair.variant.instance.expected == "abstains"]
    answerable = [answer for answer in run.bases if answer.instance.answer is not None]
    rows = []
    for representation in representations_of(pair.variant for pair in withheld):
        masked = [pair for pair in withheld if written_in(representation, pair.variant)]
        asked = [pair.variant for pair in masked]
        plain = [answer for answer in answerable if written_in(representation, answer)]
        rows.append(
            AbstentionRow(
                representation=representation,
                sensitivity=_right(asked),
                false_abstention=_abstained(plain),
                abstained_on_base=_abstained([pair.base for pair in masked]),
                rerun_sensitivity=undefined_figure(NO_RERUN)
                if rerun is None
                else _right(_same(asked, rerun)),
                rerun_false_abstention=undefined_figure(NO_RERUN)
                if rerun is None
                else _abstained(_same(plain, rerun)),
            )
        )
    return tuple(rows)


def _same(answers: Sequence[Answer], rerun: Run) -> list[Answer]:
    again = [rerun.answers.get(answer.instance.instance_id) for answer in answers]
    return [answer for answer in again if answer is not None]


def _right(answers: Sequence[Answer]) -> Figure:
    return share([(a.subject, float(a.right)) for a in answers], without="nothing was withheld")


def _abstained(answers: Sequence[Answer]) -> Figure:
    values = [(a.subject, float(a.score.status == "abstained")) for a in answers]
    return share(values, without="no answerable item was answered")
