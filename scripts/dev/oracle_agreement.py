"""Agreement coefficients by other packages, for comparison: JSON on standard input and output.

Runs in the environment of `scripts/dev/oracles`, as `scripts/dev/ask_oracles.py` starts it.

In: {"tables": [{"labels": annotators x items, 0 to categories - 1 or null; "categories": n; "sets": true if a
label is a set, code k in it if bit k of the number is 1}],
"figures": [[package, name], ...] or absent for all that apply, "repeats": n or absent for 1}.
Out: {"versions": {package: version}, "tables": [[{"package", "name", "value", "se", "ci95", "undefined",
"seconds"}, ...], ...]}. Names are ours; categories are numbers 0, 1, 2 ... and stand in order. `undefined` is
what the package did instead of a number. `seconds` is the best of the repeats, bringing the labels into the
package's own form apart.
"""

import json
import math
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import version
from typing import Any

import numpy as np

from clinicnum.scripts.dev.oracle_table import MeanSquares, Table, codes_of

MODULES = {
    "agreement": ("agreement.metrics", "agreement.utils.kernels"),
    "irrCAC": ("irrCAC.raw",),
    "krippendorff": ("krippendorff",),
    "nltk": ("nltk.metrics.agreement", "nltk.metrics.distance"),
    "pyirr": ("pyirr",),
    "scikit-learn": ("sklearn.metrics",),
    "statsmodels": ("statsmodels.stats.inter_rater", "statsmodels.formula.api", "statsmodels.stats.anova"),
}
"""Imported before any clock starts."""


Outcome = tuple[float, float | None, tuple[float, float] | None]
"""Value, standard error, interval."""


@dataclass(frozen=True)
class Oracle:
    """One coefficient of one package."""

    package: str
    name: str
    form: str
    """Attribute of a Table that the call takes; made before the clock starts."""
    call: Callable[[Any, int], float | Outcome]
    """Form and number of categories to the figure."""
    pair_only: bool = False
    two_categories: bool = False
    sets: bool = False

    def applies(self, table: Table) -> bool:
        """Whether the coefficient is defined for such a table."""
        return (
            self.sets == table.sets
            and (not self.pair_only or len(table.labels) == 2)
            and (not self.two_categories or table.categories == 2)
        )


def _krippendorff(level: str, labels: Any, categories: int) -> float:
    alpha = import_module("krippendorff").alpha
    return float(alpha(labels, value_domain=list(range(categories)), level_of_measurement=level))


def _krippendorff_sets(measure: str, labels: Any, _: int) -> float:
    """With a distance function of its own, after Passonneau (2006); two empty sets are equal."""

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


def _irrcac(method: str, weights: str, frame: Any, categories: int) -> Outcome:
    cac = import_module("irrCAC.raw").CAC
    names = [float(one) for one in range(categories)]
    found = getattr(cac(frame, weights=weights, categories=names, digits=12), method)()["est"]
    low, high = found["confidence_interval"]
    return float(found["coefficient_value"]), float(found["se"]), (float(low), float(high))


def _irrcac_observed(frame: Any, categories: int) -> float:
    """Observed agreement as used in its chance-corrected coefficients."""
    cac = import_module("irrCAC.raw").CAC
    names = [float(one) for one in range(categories)]
    return float(cac(frame, categories=names, digits=12).bp()["est"]["pa"])


def _irrcac_ordinal(table: Table, _: int) -> float:
    """Its alpha with our weights 1 - d / largest d, where d is Krippendorff's ordinal distance (2011)."""
    margins = table.paired_counts.sum(axis=0)
    below = np.cumsum(margins) - margins / 2
    distance = (below[:, None] - below[None, :]) ** 2
    weights = 1 - distance / distance.max()
    cac = import_module("irrCAC.raw").CAC
    names = [float(one) for one in range(table.categories)]
    found = cac(table.frame, weights=weights, categories=names, digits=12).krippendorff()
    return float(found["est"]["coefficient_value"])


def _agreement(function: str, kernel: str, counts: Any, _: int) -> float:
    kernels = import_module("agreement.utils.kernels")
    return float(getattr(import_module("agreement.metrics"), function)(counts, getattr(kernels, kernel)))


def _agreement_conger(table: Table, _: int) -> float:
    return float(import_module("agreement.metrics").cohens_kappa(table.counts, table.used))


def _statsmodels(method: str, counts: Any, _: int) -> float:
    return float(import_module("statsmodels.stats.inter_rater").fleiss_kappa(counts, method=method))


def _statsmodels_cohen(weights: str | None, two_way: Any, _: int) -> Outcome:
    found = import_module("statsmodels.stats.inter_rater").cohens_kappa(two_way, wt=weights)
    return float(found.kappa), float(found.std_kappa), (float(found.kappa_low), float(found.kappa_upp))


def _sklearn_cohen(weights: str | None, pair: tuple[Any, Any], categories: int) -> float:
    kappa = import_module("sklearn.metrics").cohen_kappa_score
    return float(kappa(*pair, labels=list(range(categories)), weights=weights))


def _nltk(method: str, distance: str, triples: Any, _: int) -> float:
    measure = getattr(import_module("nltk.metrics.distance"), distance)
    return float(getattr(import_module("nltk.metrics.agreement").AnnotationTask(triples, measure), method)())


def _nltk_pair(method: str, pair: tuple[Any, Any], categories: int) -> float:
    triples = [
        (who, str(at), int(label))
        for who, labels in zip("ab", pair, strict=True)
        for at, label in enumerate(labels)
    ]
    return _nltk(method, "binary_distance", triples, categories)


def _pyirr(level: str, labels: Any, _: int) -> float:
    return float(import_module("pyirr").kripp_alpha(labels.T, method=level).value)


def _pyirr_icc(model: str, kind: str, unit: str, labels: Any, _: int) -> Outcome:
    function = import_module("pyirr").intraclass_correlation
    found = function(labels.T, model=model, mtype=kind, unit=unit)
    return float(found.value), None, (float(found.lower_bound), float(found.upper_bound))


def _anova_icc(form: str, squares: MeanSquares, _: int) -> float:
    """Shrout and Fleiss (1979) on the mean squares of statsmodels' analysis of variance."""
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


def _of_irrcac() -> Iterator[Oracle]:
    for name, method, weights in (
        ("fleiss_kappa", "fleiss", "identity"),
        ("conger_kappa", "conger", "identity"),
        ("brennan_prediger", "bp", "identity"),
        ("randolph_kappa_free", "bp", "identity"),
        ("gwet_ac1", "gwet", "identity"),
        ("gwet_ac2_linear", "gwet", "linear"),
        ("gwet_ac2_quadratic", "gwet", "quadratic"),
        ("krippendorff_alpha_nominal", "krippendorff", "identity"),
        ("krippendorff_alpha_interval", "krippendorff", "quadratic"),
    ):
        yield Oracle("irrCAC", name, "frame", partial(_irrcac, method, weights))
    yield Oracle("irrCAC", "percent_agreement", "frame", _irrcac_observed)
    yield Oracle("irrCAC", "krippendorff_alpha_ordinal", "whole", _irrcac_ordinal)
    scott = partial(_irrcac, "fleiss", "identity")
    yield Oracle("irrCAC", "scott_pi", "paired_frame", scott, pair_only=True)
    pabak = partial(_irrcac, "bp", "identity")
    yield Oracle("irrCAC", "pabak", "frame", pabak, pair_only=True, two_categories=True)


def _of_agreement() -> Iterator[Oracle]:
    for name, function, kernel in (
        ("percent_agreement", "observed_agreement", "identity_kernel"),
        ("fleiss_kappa", "scotts_pi", "identity_kernel"),
        ("brennan_prediger", "s_score", "identity_kernel"),
        ("randolph_kappa_free", "s_score", "identity_kernel"),
        ("gwet_ac1", "gwets_gamma", "identity_kernel"),
        ("gwet_ac2_linear", "gwets_gamma", "linear_kernel"),
        ("gwet_ac2_quadratic", "gwets_gamma", "quadratic_kernel"),
        ("krippendorff_alpha_nominal", "krippendorffs_alpha", "identity_kernel"),
        ("krippendorff_alpha_interval", "krippendorffs_alpha", "quadratic_kernel"),
    ):
        yield Oracle("agreement", name, "counts", partial(_agreement, function, kernel))
    yield Oracle("agreement", "conger_kappa", "whole", _agreement_conger)
    scott = partial(_agreement, "scotts_pi", "identity_kernel")
    yield Oracle("agreement", "scott_pi", "paired_counts", scott, pair_only=True)
    pabak = partial(_agreement, "s_score", "identity_kernel")
    yield Oracle("agreement", "pabak", "counts", pabak, pair_only=True, two_categories=True)


def _of_pairs() -> Iterator[Oracle]:
    for suffix, weights in (("", None), ("_linear", "linear"), ("_quadratic", "quadratic")):
        name = f"cohen_kappa{suffix}"
        yield Oracle("statsmodels", name, "two_way", partial(_statsmodels_cohen, weights), pair_only=True)
        yield Oracle("scikit-learn", name, "pair", partial(_sklearn_cohen, weights), pair_only=True)
    yield Oracle("nltk", "cohen_kappa", "pair", partial(_nltk_pair, "kappa"), pair_only=True)
    yield Oracle("nltk", "scott_pi", "pair", partial(_nltk_pair, "pi"), pair_only=True)


def _of_intraclass() -> Iterator[Oracle]:
    for form, model, kind in (
        ("1", "oneway", "consistency"),
        ("2", "twoway", "agreement"),
        ("3", "twoway", "consistency"),
    ):
        for mean, unit in (("1", "single"), ("k", "average")):
            name = f"icc({form},{mean})"
            yield Oracle("pyirr", name, "labels", partial(_pyirr_icc, model, kind, unit))
            yield Oracle("statsmodels", name, "mean_squares", partial(_anova_icc, name))


def _of_sets() -> Iterator[Oracle]:
    for measure in ("masi", "jaccard"):
        name = f"krippendorff_alpha_{measure}"
        yield Oracle("krippendorff", name, "labels", partial(_krippendorff_sets, measure), sets=True)
        nltk = partial(_nltk, "alpha", f"{measure}_distance")
        yield Oracle("nltk", name, "set_triples", nltk, sets=True)


ORACLES: tuple[Oracle, ...] = (
    *(
        Oracle("krippendorff", f"krippendorff_alpha_{level}", "labels", partial(_krippendorff, level))
        for level in ("nominal", "ordinal", "interval")
    ),
    *_of_irrcac(),
    *_of_agreement(),
    Oracle("statsmodels", "fleiss_kappa", "counts", partial(_statsmodels, "fleiss")),
    Oracle("statsmodels", "randolph_kappa_free", "counts", partial(_statsmodels, "randolph")),
    *_of_pairs(),
    Oracle("nltk", "krippendorff_alpha_nominal", "triples", partial(_nltk, "alpha", "binary_distance")),
    Oracle("nltk", "krippendorff_alpha_interval", "triples", partial(_nltk, "alpha", "interval_distance")),
    *(
        Oracle("pyirr", f"krippendorff_alpha_{level}", "labels", partial(_pyirr, level))
        for level in ("nominal", "ordinal", "interval")
    ),
    *_of_intraclass(),
    *_of_sets(),
)


def _figure(oracle: Oracle, table: Table, repeats: int) -> dict[str, Any]:
    found: float | Outcome = math.nan
    undefined = None
    seconds = math.inf
    try:
        form = table if oracle.form == "whole" else getattr(table, oracle.form)
        for _ in range(repeats):
            start = time.perf_counter()
            found = oracle.call(form, table.categories)
            seconds = min(seconds, time.perf_counter() - start)
    except Exception as error:  # noqa: BLE001 - how a package fails is part of the comparison
        undefined = f"{type(error).__name__}: {error}".splitlines()[0].rstrip(": ")
    value, se, ci95 = found if isinstance(found, tuple) else (found, None, None)
    if undefined is None and not math.isfinite(value):
        undefined = str(value)
    return {
        "package": oracle.package,
        "name": oracle.name,
        "value": None if undefined else value,
        "se": None if undefined or se is None or not math.isfinite(se) else se,
        "ci95": None if undefined or ci95 is None or not all(map(math.isfinite, ci95)) else ci95,
        "undefined": undefined,
        "seconds": seconds if math.isfinite(seconds) else None,
    }


def main() -> None:
    """Read one request from standard input, write one answer to standard output."""
    warnings.simplefilter("ignore")
    request = json.load(sys.stdin)
    wanted = {tuple(one) for one in request.get("figures") or ()}
    chosen = [one for one in ORACLES if not wanted or (one.package, one.name) in wanted]
    for oracle in chosen:
        for module in MODULES[oracle.package]:
            import_module(module)
    tables = []
    for asked in request["tables"]:
        table = Table(np.array(asked["labels"], dtype=float), asked["categories"], asked.get("sets", False))
        repeats = request.get("repeats", 1)
        tables.append([_figure(one, table, repeats) for one in chosen if one.applies(table)])
    versions = {package: version(package) for package in sorted({one.package for one in chosen})}
    json.dump({"versions": versions, "tables": tables}, sys.stdout)


if __name__ == "__main__":
    main()
