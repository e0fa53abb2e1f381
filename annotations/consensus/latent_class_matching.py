"""Match the classes of Dawid and Skene's model to labels, and find those that the labels cannot tell apart.

The likelihood is the same under every naming of the classes (Stephens 2000, "Dealing with label switching in
mixture models", J R Stat Soc B 62:795-809); only the votes show which class is which. The names of two
classes are ambiguous if a start near the votes reaches the same likelihood with the two exchanged, and the
votes favour the chosen naming by no more than chance.
"""

from collections.abc import Iterable
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from clinicnum.annotations.consensus.dawid_skene_em import Em, Fit

Order = NDArray[np.int64]
"""Category -> index of the class of a fit that is given its name."""
CHANCE = 1.96
"""Standard errors by which votes must favour one naming of two classes over the other."""


def named_as_voted(fit: Fit, em: Em) -> tuple[Fit, Order]:
    """The fit with its classes permuted to agree with as many votes as possible, and the permutation."""
    _, order = linear_sum_assignment(em.votes_for(fit.posterior), maximize=True)
    named = fit._replace(
        posterior=fit.posterior[:, order],
        prior=fit.prior[order],
        rates=fit.rates[:, order],
        expected=fit.expected[:, order],
    )
    return named, order


def close_names(fit: Fit, em: Em) -> list[tuple[int, int]]:
    """Pairs of classes whose naming the votes favour over the exchanged naming by no more than chance.

    Each item adds the difference of its vote shares for the two classes times the difference of its
    posteriors; items are independent, so the standard error of the sum is the root of the summed squares.
    """
    votes = em.votes()
    pairs = []
    for one, other in combinations(np.flatnonzero(votes.any(axis=0)).tolist(), 2):
        gain = (votes[:, one] - votes[:, other]) * (fit.posterior[:, one] - fit.posterior[:, other])
        if em.total(gain) <= CHANCE * np.sqrt(em.total(gain**2)):
            pairs.append((one, other))
    return pairs


def exchangeable(pairs: Iterable[tuple[int, int]], orders: Iterable[Order]) -> list[int]:
    """The classes of those `pairs` that an equally likely fit exchanged; `orders` has the permutation of each
    such fit.
    """
    moved = [set(np.flatnonzero(order != np.arange(len(order))).tolist()) for order in orders]
    return sorted({place for pair in pairs if any(set(pair) <= one for one in moved) for place in pair})
