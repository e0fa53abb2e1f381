"""Annotators and items whose true agreement is known, because they are drawn.

An item has a true category and is hard or easy. An annotator names the true category with a chance that
depends on the annotator and on whether the item is hard; otherwise the annotator guesses, by leanings of
their own. Given the item, annotators are independent. Annotators are fixed, as in Gwet's variances: what is
drawn are items, and subjects.

Items of a subject hang together through Gaussian copulas: the normal that decides an item's category is
sqrt(RHO) times its subject's plus sqrt(1 - RHO) times its own, and the normal that decides whether it is
hard likewise. So every item has exactly the chances it should have, whatever its subject, and items of a
subject resemble each other both in what they are and in how well annotators agree on them. Labels are missing
at random.

The truth is what a coefficient is on all items there could be, and is a finite sum (`truth_of`): pairs of
annotators agree with the probability pa, a label is k with the probability p_k, averaged over annotators.
Fleiss's kappa and alpha are then (pa - S) / (1 - S) with S the sum of the squared p_k; AC1 has
(1 - S) / (categories - 1) in place of S.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from scipy.special import ndtri

RHO = 0.3
MISSING = -1


@dataclass(frozen=True)
class Model:
    """What items are like, and annotators."""

    prevalence: tuple[float, ...]
    """Of the categories among items."""
    hard: float
    """Share of hard items."""
    sure: tuple[tuple[float, float], ...]
    """One an annotator: chance to name the category without a guess, of an easy item and of a hard one."""
    leanings: tuple[tuple[float, ...], ...]
    """One an annotator: how guesses fall."""
    missing: float = 0.0
    """Share of labels that are not there."""


MODELS = {
    "four categories, three annotators": Model(
        prevalence=(0.45, 0.25, 0.20, 0.10),
        hard=0.35,
        sure=((0.90, 0.35), (0.85, 0.30), (0.80, 0.25)),
        leanings=((0.25, 0.25, 0.25, 0.25), (0.40, 0.30, 0.20, 0.10), (0.20, 0.30, 0.30, 0.20)),
    ),
    "eight categories, five annotators, a fifth missing": Model(
        prevalence=(0.30, 0.20, 0.15, 0.10, 0.08, 0.07, 0.05, 0.05),
        hard=0.40,
        sure=((0.90, 0.40), (0.85, 0.35), (0.80, 0.30), (0.80, 0.25), (0.70, 0.20)),
        leanings=((0.125,) * 8,) * 5,
        missing=0.2,
    ),
}
"""Agreement as labels of causes have it: kappa 0.48 and 0.42."""
HARDER = {
    "two categories at 80 %, two annotators": Model(
        prevalence=(0.80, 0.20),
        hard=0.30,
        sure=((0.90, 0.40), (0.85, 0.30)),
        leanings=((0.60, 0.40), (0.70, 0.30)),
    ),
    "four categories, three annotators, nearly perfect": Model(
        prevalence=(0.40, 0.30, 0.20, 0.10),
        hard=0.10,
        sure=((0.98, 0.80),) * 3,
        leanings=((0.25,) * 4,) * 3,
    ),
}
"""Few disagreements, so that 30 items have a handful: kappa 0.51 and 0.92, AC1 0.72 and 0.93."""


@dataclass(frozen=True)
class Truth:
    """The coefficients on all items there could be."""

    gwet_ac1: float
    fleiss_kappa: float
    krippendorff_alpha_nominal: float


def truth_of(model: Model) -> Truth:
    """By summing over categories, hard and easy, and pairs of annotators."""
    chances = _chances(model)
    weight = np.array([1.0 - model.hard, model.hard])[:, None] * np.array(model.prevalence)
    pairs = list(combinations(range(len(model.sure)), 2))
    alike = sum((chances[a] * chances[b]).sum(axis=-1) for a, b in pairs) / len(pairs)
    pa = float((weight * alike).sum())
    shares = np.einsum("hc,ahck->k", weight, chances) / len(model.sure)
    squares = float(shares @ shares)
    kappa = (pa - squares) / (1.0 - squares)
    chance = (1.0 - squares) / (len(model.prevalence) - 1)
    return Truth((pa - chance) / (1.0 - chance), kappa, kappa)


def _chances(model: Model) -> Any:
    """annotators x (easy, hard) x true category x label."""
    sure, leanings = np.array(model.sure), np.array(model.leanings)
    right = np.eye(len(model.prevalence))
    return sure[:, :, None, None] * right + (1.0 - sure)[:, :, None, None] * leanings[:, None, None, :]


def labels(model: Model, subjects: int, items: int, rng: np.random.Generator) -> Any:
    """Labels [subjects * items, annotators], `MISSING` for none; items stand subject by subject."""
    latent = _latent(subjects, items, rng)
    category = np.searchsorted(ndtri(np.cumsum(model.prevalence)[:-1]), latent)
    hard = (_latent(subjects, items, rng) < ndtri(model.hard)).astype(int)
    annotators = np.arange(len(model.sure))
    cumulative = np.cumsum(_chances(model)[annotators, hard[:, None], category[:, None]], axis=-1)
    drawn = (rng.random((len(latent), len(annotators), 1)) > cumulative[..., :-1]).sum(axis=-1)
    return np.where(rng.random(drawn.shape) < model.missing, MISSING, drawn)


def _latent(subjects: int, items: int, rng: np.random.Generator) -> Any:
    common, own = rng.standard_normal((subjects, 1)), rng.standard_normal((subjects, items))
    return (np.sqrt(RHO) * common + np.sqrt(1.0 - RHO) * own).ravel()
