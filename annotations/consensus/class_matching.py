"""Match the classes of Dawid and Skene's model to labels, and find those that the labels cannot tell apart.

The likelihood is the same under every naming of the classes (Stephens 2000, "Dealing with label switching in
mixture models", J R Stat Soc B 62:795-809); only the votes tell which is which. Two names are not settled
where a start near the votes ends as high with the two exchanged, and the votes for the naming that is used
exceed those for the other by less than chance would have it.
"""

from collections.abc import Iterable
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from clinicnum.annotations.consensus.em import Em, Fit

Order = NDArray[np.int64]
"""Category -> the class of a fit that bears its name."""
CHANCE = 1.96
"""Standard errors by which votes must favour one naming of two classes over the other."""


def named_as_voted(fit: Fit, em: Em) -> tuple[Fit, Order]:
    """The fit with its classes permuted so that they agree with as many votes as possible, and how."""
    _, order = linear_sum_assignment(em.votes_for(fit.posterior), maximize=True)
    named = fit._replace(
        posterior=fit.posterior[:, order],
        prior=fit.prior[order],
        rates=fit.rates[:, order],
        expected=fit.expected[:, order],
    )
    return named, order


def close_names(fit: Fit, em: Em) -> list[tuple[int, int]]:
    """Pairs of classes whose names the votes favour by no more than chance over the exchanged ones.

    An item adds the difference of its shares of votes for the two, times that of its posteriors; the items
    are independent, so the sum's standard error is the root of the summed squares.
    """
    votes = em.votes()
    pairs = []
    for one, other in combinations(np.flatnonzero(votes.any(axis=0)).tolist(), 2):
        gain = (votes[:, one] - votes[:, other]) * (fit.posterior[:, one] - fit.posterior[:, other])
        if em.total(gain) <= CHANCE * np.sqrt(em.total(gain**2)):
            pairs.append((one, other))
    return pairs


def exchangeable(pairs: Iterable[tuple[int, int]], orders: Iterable[Order]) -> list[int]:
    """The classes of those pairs that a start as high exchanged, given how each such start was renamed."""
    moved = [set(np.flatnonzero(order != np.arange(len(order))).tolist()) for order in orders]
    return sorted({place for pair in pairs if any(set(pair) <= one for one in moved) for place in pair})
