"""One table of labels in the formats that packages expect; runs in the environment of
`scripts/dev/oracles`.
"""

from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np

MeanSquares = tuple[int, int, float, float, float, float]
"""Number of items and of annotators, then the mean squares of items, annotators, residual and within
items.
"""


def codes_of(bits: int) -> frozenset[int]:
    """The codes of a set: the numbers of the bits that are 1."""
    return frozenset(code for code in range(int(bits).bit_length()) if int(bits) >> code & 1)


@dataclass(frozen=True)
class Table:
    """One table of labels in the formats that packages expect."""

    labels: Any
    """Array of shape (annotators, items), nan where missing."""
    categories: int
    sets: bool = False
    """Whether a label is a set of codes, encoded as bits."""

    @cached_property
    def counts(self) -> Any:
        """Number of labels, shape (items, categories), without items that have no label."""
        counted = np.stack([(self.labels == one).sum(axis=0) for one in range(self.categories)], axis=1)
        return counted[counted.sum(axis=1) > 0]

    @cached_property
    def used(self) -> Any:
        """Number of labels, shape (annotators, categories)."""
        return np.stack([(self.labels == one).sum(axis=1) for one in range(self.categories)], axis=1)

    @cached_property
    def frame(self) -> Any:
        """A data frame of shape (items, annotators), nan where missing."""
        return import_module("pandas").DataFrame(self.labels.T)

    @cached_property
    def pair(self) -> tuple[Any, Any]:
        """Labels of two annotators on the items that both labelled."""
        both = ~np.isnan(self.labels).any(axis=0)
        first, second = self.labels[:, both].astype(int)
        return first, second

    @cached_property
    def two_way(self) -> Any:
        """How often the two annotators gave each pair of labels, shape (categories, categories)."""
        table = np.zeros((self.categories, self.categories))
        np.add.at(table, self.pair, 1)
        return table

    @cached_property
    def paired_items(self) -> "Table":
        """The items with at least two labels."""
        several = (~np.isnan(self.labels)).sum(axis=0) > 1
        return Table(self.labels[:, several], self.categories)

    @cached_property
    def paired_counts(self) -> Any:
        """`counts` of the items with at least two labels."""
        return self.paired_items.counts

    @cached_property
    def paired_frame(self) -> Any:
        """`frame` of the items with at least two labels."""
        return self.paired_items.frame

    @cached_property
    def mean_squares(self) -> MeanSquares:
        """Mean squares by statsmodels, on the items that all annotators labelled."""
        complete = self.labels[:, ~np.isnan(self.labels).any(axis=0)]
        who, item = np.indices(complete.shape)
        columns = {"label": complete.ravel(), "who": who.ravel(), "item": item.ravel()}
        frame = import_module("pandas").DataFrame(columns)
        fit = import_module("statsmodels.formula.api").ols("label ~ C(item) + C(who)", frame).fit()
        found = import_module("statsmodels.stats.anova").anova_lm(fit)
        items, annotators, residual = (
            (float(found["sum_sq"][row]), float(found["df"][row]))
            for row in ("C(item)", "C(who)", "Residual")
        )
        within = (annotators[0] + residual[0]) / (annotators[1] + residual[1])
        k, n = complete.shape
        return n, k, items[0] / items[1], annotators[0] / annotators[1], residual[0] / residual[1], within

    @cached_property
    def triples(self) -> list[tuple[str, str, int]]:
        """(annotator, item, label) of each label; annotators and items by their numbers."""
        at = np.argwhere(~np.isnan(self.labels))
        return [(str(who), str(item), int(self.labels[who, item])) for who, item in at]

    @cached_property
    def set_triples(self) -> list[tuple[str, str, frozenset[int]]]:
        """(annotator, item, set of codes); an empty set gets a code of its own, as nltk defines no distance
        to it.
        """
        return [(who, item, codes_of(bits) or frozenset({-1})) for who, item, bits in self.triples]
