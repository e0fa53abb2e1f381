"""The four consensus protocols on a table of labels: the consensus on each item, or why it has none."""

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

import numpy as np

from clinicnum.annotations.consensus.dawid_skene import DawidSkeneResult, dawid_skene
from clinicnum.annotations.consensus.dawid_skene_em import Floats
from clinicnum.annotations.consensus.vote_consensus import EXPERTS, Consensus, consensus
from clinicnum.annotations.labels_by_item import Ballots
from clinicnum.errors import InputError

Protocol = Literal["unanimous", "majority", "three_expert", "dawid_skene"]
PROTOCOLS: tuple[Protocol, ...] = get_args(Protocol)
_TIE = 1e-6
"""Posteriors that differ by less than this are a tie."""


def asked_protocol(name: str | None) -> Protocol | None:
    """The protocol of that name; None if no name is given. Raises InputError for an unknown name."""
    if name is None:
        return None
    for protocol in PROTOCOLS:
        if name == protocol:
            return protocol
    raise InputError(f"consensus {name!r} does not exist; expected {', '.join(PROTOCOLS)}")


def consensus_of_all(
    labels: Mapping[str, Mapping[str, str]],
    protocol: Protocol,
    *,
    categories: Sequence[str] | None = None,
    decisions: Mapping[str, str] | None = None,
    independent: int = EXPERTS,
) -> dict[str, Consensus]:
    """The consensus on each item of a table item -> annotator -> label, in its order.

    `categories` are all declared ones; by default, those that occur, sorted. For `three_expert`, `decisions`
    are the adjudicators' labels and `independent` is the number of votes needed without a decision. Raises
    KeyError for a label that is not a category.
    """
    ballots = Ballots.of(labels)
    if protocol == "dawid_skene":
        declared = categories or sorted({label for given in ballots.distinct for label in given.values()})
        return by_model(dawid_skene(ballots, categories=declared, starts=0), ballots)
    voted = ballots.each(lambda given: consensus(list(given.values()), protocol, independent=independent))
    for item, decision in (decisions or {}).items():
        if item in voted:
            voted[item] = consensus(list(ballots[item].values()), protocol, decision=decision)
    return voted


def by_model(result: DawidSkeneResult, labels: Mapping[str, Mapping[str, str]]) -> dict[str, Consensus]:
    """The most probable label of each item by the fitted model, as its consensus; without a fit, none, with
    the reason.
    """
    ballots, model = Ballots.of(labels), result.model
    if model is None:
        reason = result.undefined or "no model"
        return ballots.each(lambda given: _none(list(given.values()), reason))
    at = {item: row for row, item in enumerate(model.items)}
    names, posterior = model.merged
    return ballots.spread(
        [
            _most_probable(names, posterior[at[ballots.names[item]]], given)
            if given
            else _none([], "no label")
            for item, given in zip(ballots.one_with.tolist(), ballots.distinct, strict=True)
        ]
    )


def _none(votes: Sequence[str], reason: str) -> Consensus:
    support = max((votes.count(label) for label in votes), default=0)
    return Consensus(label=None, reason=reason, votes=len(votes), support=support)


def _most_probable(categories: Sequence[tuple[str, ...]], row: Floats, given: Mapping[str, str]) -> Consensus:
    first, second = np.argsort(-row, kind="stable")[:2] if len(row) > 1 else (0, 0)
    label, votes = " or ".join(categories[first]), list(given.values())
    if first != second and row[first] - row[second] < _TIE:
        names = " and ".join(sorted((label, " or ".join(categories[second]))))
        return _none(votes, f"tie: {names} are equally probable, {row[first]:.2f}")
    if len(categories[first]) > 1:
        return _none(votes, f"{label}, probability {row[first]:.3f}: the labels do not tell which")
    return Consensus(
        label=label,
        reason=f"probability {row[first]:.3f}",
        votes=len(votes),
        support=votes.count(label),
        posterior=float(row[first]),
    )
