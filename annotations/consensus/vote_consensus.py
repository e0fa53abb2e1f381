"""The consensus on one item from its votes; a tie is never broken by order or chance.

`unanimous`: all alike. `majority`: more than half alike. Both need at least two votes. `three_expert`: three
independent votes, and if they differ an adjudicator decides; until then there is no consensus. A decision
settles every question of its item, even those on which all agreed: an adjudicator who names another cause may
also accept the answer. A study that assigns two annotators has two independent votes: its adjudicator is the
third reader.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen

VoteProtocol = Literal["unanimous", "majority", "three_expert"]
MIN_VOTES = 2
ONE_JUDGEMENT = Translatable(
    "Only one person labels each answer: the report will count no failure. What one person sees may be an "
    "oversight, so a failure counts where two people agree on it. One person is enough to get to know the "
    "labels; for a result, let two people or more label each answer."
)
"""Said before a study is opened, if it assigns fewer than MIN_VOTES annotators to each answer."""
EXPERTS = 3


class Consensus(Frozen):
    """The consensus label, or None; in both cases with the reason."""

    label: str | None
    reason: str
    votes: int
    support: int
    """Number of votes for the label; without a label, for the most frequent one."""
    posterior: float | None = None
    """Probability of the label by `dawid_skene`; None under the other protocols."""


def consensus(
    labels: Sequence[str],
    protocol: VoteProtocol = "majority",
    *,
    decision: str | None = None,
    independent: int = EXPERTS,
) -> Consensus:
    """The consensus of one label from each annotator.

    For `three_expert`, `decision` is the adjudicator's label on an item that needed one, and `independent`
    the number of votes needed without a decision.
    """
    expert = protocol == "three_expert"
    return _consensus(
        tuple(sorted(labels)), protocol, decision if expert else None, independent if expert else MIN_VOTES
    )


@lru_cache(maxsize=65_536)  # large studies have few distinct votes
def _consensus(
    labels: tuple[str, ...], protocol: VoteProtocol, decision: str | None, needed: int
) -> Consensus:
    votes = len(labels)
    ranked = sorted(Counter(labels).items(), key=lambda entry: (-entry[1], entry[0]))
    label, support = ranked[0] if ranked else ("", 0)
    tally = ", ".join(f"{name} {count}" for name, count in ranked)
    if decision is not None:
        return Consensus(label=decision, votes=votes, support=support, reason=f"adjudicated: {tally}")
    if votes < needed:
        reason = f"{votes} of {needed} judgements that it takes"
        return Consensus(label=None, votes=votes, support=support, reason=reason)
    if support == votes or (protocol == "majority" and 2 * support > votes):
        return Consensus(label=label, votes=votes, support=support, reason=f"{support} of {votes} agree")
    tied = sum(count == support for _, count in ranked) > 1
    why = "tie" if tied else f"not {'unanimous' if protocol == 'unanimous' else 'more than half'}"
    why = "adjudication is due" if protocol == "three_expert" else why
    return Consensus(label=None, votes=votes, support=support, reason=f"{why}: {tally}")
