"""One function per coefficient of another package: takes labels in the package's format, returns its
figure.
"""

from importlib import import_module
from typing import Any

import numpy as np

from clinicnum.scripts.dev.labels_for_other_packages import MeanSquares, Table, codes_of

Outcome = tuple[float, float | None, tuple[float, float] | None]
"""Value, standard error, interval."""


def krippendorff(level: str, labels: Any, categories: int) -> float:
    alpha = import_module("krippendorff").alpha
    return float(alpha(labels, value_domain=list(range(categories)), level_of_measurement=level))


def krippendorff_sets(measure: str, labels: Any, _: int) -> float:
    """Alpha for sets of codes, with a distance function after Passonneau (2006); two empty sets are equal."""

    def distance(one: frozenset[int], other: frozenset[int]) -> float:
        if one == other:
            return 0.0
        both = len(one & other)
        shrink = 1.0 if measure == "jaccard" else 2 / 3 if one < other or other < one else 1 / 3
        return 1.0 - both / len(one | other) * shrink

    seen = [codes_of(int(bits)) for bits in np.unique(labels[~np.isnan(labels)])]
    table = np.array([[distance(one, other) for other in seen] for one in seen])
    places = np.searchsorted(np.unique(labels[~np.isnan(labels)]), labels)
    coded = np.where(np.isnan(labels), np.nan, places)
    alpha = import_module("krippendorff").alpha

    def metric(v1: Any, v2: Any, **_: Any) -> Any:
        return table[v1.astype(int), v2.astype(int)]

    return float(alpha(coded, value_domain=list(range(len(seen))), level_of_measurement=metric))


def irrcac(method: str, weights: str, frame: Any, categories: int) -> Outcome:
    cac = import_module("irrCAC.raw").CAC
    names = [float(one) for one in range(categories)]
    found = getattr(cac(frame, weights=weights, categories=names, digits=12), method)()["est"]
    low, high = found["confidence_interval"]
    return float(found["coefficient_value"]), float(found["se"]), (float(low), float(high))


def irrcac_observed(frame: Any, categories: int) -> float:
    """Observed agreement as used in irrCAC's chance-corrected coefficients."""
    cac = import_module("irrCAC.raw").CAC
    names = [float(one) for one in range(categories)]
    return float(cac(frame, categories=names, digits=12).bp()["est"]["pa"])


def irrcac_ordinal(table: Table, _: int) -> float:
    """irrCAC's alpha with our weights 1 - d / largest d, where d is Krippendorff's ordinal distance
    (2011).
    """
    margins = table.paired_counts.sum(axis=0)
    below = np.cumsum(margins) - margins / 2
    distance = (below[:, None] - below[None, :]) ** 2
    weights = 1 - distance / distance.max()
    cac = import_module("irrCAC.raw").CAC
    names = [float(one) for one in range(table.categories)]
    found = cac(table.frame, weights=weights, categories=names, digits=12).krippendorff()
    return float(found["est"]["coefficient_value"])


def agreement(function: str, kernel: str, counts: Any, _: int) -> float:
    kernels = import_module("agreement.utils.kernels")
    return float(getattr(import_module("agreement.metrics"), function)(counts, getattr(kernels, kernel)))


def agreement_conger(table: Table, _: int) -> float:
    return float(import_module("agreement.metrics").cohens_kappa(table.counts, table.used))


def statsmodels(method: str, counts: Any, _: int) -> float:
    return float(import_module("statsmodels.stats.inter_rater").fleiss_kappa(counts, method=method))


def statsmodels_cohen(weights: str | None, two_way: Any, _: int) -> Outcome:
    found = import_module("statsmodels.stats.inter_rater").cohens_kappa(two_way, wt=weights)
    return float(found.kappa), float(found.std_kappa), (float(found.kappa_low), float(found.kappa_upp))


def sklearn_cohen(weights: str | None, pair: tuple[Any, Any], categories: int) -> float:
    kappa = import_module("sklearn.metrics").cohen_kappa_score
    return float(kappa(*pair, labels=list(range(categories)), weights=weights))


def nltk(method: str, distance: str, triples: Any, _: int) -> float:
    measure = getattr(import_module("nltk.metrics.distance"), distance)
    return float(getattr(import_module("nltk.metrics.agreement").AnnotationTask(triples, measure), method)())


def nltk_pair(method: str, pair: tuple[Any, Any], categories: int) -> float:
    triples = [
        (who, str(at), int(label))
        for who, labels in zip("ab", pair, strict=True)
        for at, label in enumerate(labels)
    ]
    return nltk(method, "binary_distance", triples, categories)


def pyirr(level: str, labels: Any, _: int) -> float:
    return float(import_module("pyirr").kripp_alpha(labels.T, method=level).value)


def pyirr_icc(model: str, kind: str, unit: str, labels: Any, _: int) -> Outcome:
    function = import_module("pyirr").intraclass_correlation
    found = function(labels.T, model=model, mtype=kind, unit=unit)
    return float(found.value), None, (float(found.lower_bound), float(found.upper_bound))


def anova_icc(form: str, squares: MeanSquares, _: int) -> float:
    """Intraclass correlation (Shrout and Fleiss 1979) from the mean squares of statsmodels' analysis of
    variance.
    """
    n, k, b, j, e, w = squares
    above, below = {
        "icc(1,1)": (b - w, b + (k - 1) * w),
        "icc(1,k)": (b - w, b),
        "icc(2,1)": (b - e, b + (k - 1) * e + k * (j - e) / n),
        "icc(2,k)": (b - e, b + (j - e) / n),
        "icc(3,1)": (b - e, b + (k - 1) * e),
        "icc(3,k)": (b - e, b),
    }[form]
    return above / below
