"""The four protocols on a table of labels: an item's consensus, or why it has none."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal, get_args

import numpy as np

from annotations.consensus.dawid_skene import DawidSkeneResult, dawid_skene
from annotations.consensus.em import Floats
from annotations.consensus.votes import Consensus, consensus

Protocol = Literal["unanimous", "majority", "three_expert", "dawid_skene"]
PROTOCOLS: tuple[Protocol, ...] = get_args(Protocol)
_TIE = 1e-6
"""Posteriors that are this close are a tie."""


def consensus_of_all(
    labels: Mapping[str, Mapping[str, str]],
    protocol: Protocol,
    *,
    categories: Sequence[str] | None = None,
    decisions: Mapping[str, str] | None = None,
) -> dict[str, Consensus]:
    """The consensus on each item of item -> annotator -> label, in the mapping's order.

    `categories` are all declared ones (those seen, sorted, where none are given); `decisions` are the
    adjudicators', for `three_expert`. Raises KeyError for a label that is not a category.
    """
    if protocol != "dawid_skene":
        decided = decisions or {}
        return {
            item: consensus(list(given.values()), protocol, decision=decided.get(item))
            for item, given in labels.items()
        }
    declared = categories or sorted({label for given in labels.values() for label in given.values()})
    triples = [(item, who, label) for item, given in labels.items() for who, label in given.items()]
    return by_model(dawid_skene(triples, categories=declared, starts=0), labels)


def by_model(result: DawidSkeneResult, labels: Mapping[str, Mapping[str, str]]) -> dict[str, Consensus]:
    """The most probable label of each item, from the model that was fitted to these labels."""
    if result.model is None:
        reason = result.undefined or "no model"
        return {item: _none(tuple(sorted(given.values())), reason) for item, given in labels.items()}
    at = {item: place for place, item in enumerate(result.model.items)}
    known: dict[tuple[bytes, tuple[str, ...]], Consensus] = {}
    found = {}
    for item, given in labels.items():
        if not given:
            found[item] = _none((), "no label")
            continue
        row = result.model.posterior[at[item]]
        key = row.tobytes(), tuple(sorted(given.values()))
        if key not in known:
            known[key] = _most_probable(result.model.categories, row, given)
        found[item] = known[key]
    return found


@lru_cache(maxsize=65_536)  # large studies have few distinct votes
def _none(votes: tuple[str, ...], reason: str) -> Consensus:
    support = max((votes.count(label) for label in votes), default=0)
    return Consensus(label=None, reason=reason, votes=len(votes), support=support)


def _most_probable(categories: Sequence[str], row: Floats, given: Mapping[str, str]) -> Consensus:
    first, second = np.argsort(-row, kind="stable")[:2] if len(row) > 1 else (0, 0)
    label, votes = categories[first], list(given.values())
    if first != second and row[first] - row[second] < _TIE:
        names = " and ".join(sorted((label, categories[second])))
        return _none(tuple(sorted(votes)), f"tie: {names} are equally probable, {row[first]:.2f}")
    return Consensus(
        label=label,
        reason=f"probability {row[first]:.3f}",
        votes=len(votes),
        support=votes.count(label),
        posterior=float(row[first]),
    )
