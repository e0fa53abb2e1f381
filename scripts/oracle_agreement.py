"""Coefficients of agreement by other packages, for comparison: JSON in on stdin, JSON out on stdout.

Runs in the environment of `scripts/oracles`: `$(scripts/oracles) -I scripts/oracle_agreement.py`.

In: {"tables": [{"labels": annotators x items, 0 to categories - 1 or null; "categories": n}],
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
from functools import cached_property, partial
from importlib import import_module
from importlib.metadata import version
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Table:
    """One table of labels in the forms that packages take."""

    labels: Any
    """annotators x items, nan where missing."""
    categories: int

    @cached_property
    def counts(self) -> Any:
        """items x categories, items without a label left out."""
        counted = np.stack([(self.labels == one).sum(axis=0) for one in range(self.categories)], axis=1)
        return counted[counted.sum(axis=1) > 0]

    @cached_property
    def used(self) -> Any:
        """annotators x categories."""
        return np.stack([(self.labels == one).sum(axis=1) for one in range(self.categories)], axis=1)

    @cached_property
    def frame(self) -> Any:
        return import_module("pandas").DataFrame(self.labels.T)

    @cached_property
    def pair(self) -> tuple[Any, Any]:
        """Labels of the two annotators on the items that both labelled."""
        both = ~np.isnan(self.labels).any(axis=0)
        first, second = self.labels[:, both].astype(int)
        return first, second

    @cached_property
    def two_way(self) -> Any:
        table = np.zeros((self.categories, self.categories))
        np.add.at(table, self.pair, 1)
        return table

    @cached_property
    def triples(self) -> list[tuple[str, str, int]]:
        at = np.argwhere(~np.isnan(self.labels))
        return [(str(who), str(item), int(self.labels[who, item])) for who, item in at]


MODULES = {
    "agreement": ("agreement.metrics", "agreement.utils.kernels"),
    "irrCAC": ("irrCAC.raw",),
    "krippendorff": ("krippendorff",),
    "nltk": ("nltk.metrics.agreement", "nltk.metrics.distance"),
    "pyirr": ("pyirr",),
    "scikit-learn": ("sklearn.metrics",),
    "statsmodels": ("statsmodels.stats.inter_rater",),
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


def _krippendorff(level: str, labels: Any, categories: int) -> float:
    alpha = import_module("krippendorff").alpha
    return float(alpha(labels, value_domain=list(range(categories)), level_of_measurement=level))


def _irrcac(method: str, weights: str, frame: Any, categories: int) -> Outcome:
    cac = import_module("irrCAC.raw").CAC
    names = [float(one) for one in range(categories)]
    found = getattr(cac(frame, weights=weights, categories=names, digits=12), method)()["est"]
    low, high = found["confidence_interval"]
    return float(found["coefficient_value"]), float(found["se"]), (float(low), float(high))


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


def _of_irrcac() -> Iterator[Oracle]:
    for name, method, weights in (
        ("fleiss_kappa", "fleiss", "identity"),
        ("conger_kappa", "conger", "identity"),
        ("brennan_prediger", "bp", "identity"),
        ("gwet_ac1", "gwet", "identity"),
        ("gwet_ac2_linear", "gwet", "linear"),
        ("gwet_ac2_quadratic", "gwet", "quadratic"),
        ("krippendorff_alpha_nominal", "krippendorff", "identity"),
        ("krippendorff_alpha_interval", "krippendorff", "quadratic"),
    ):
        yield Oracle("irrCAC", name, "frame", partial(_irrcac, method, weights))


def _of_agreement() -> Iterator[Oracle]:
    for name, function, kernel in (
        ("percent_agreement", "observed_agreement", "identity_kernel"),
        ("fleiss_kappa", "scotts_pi", "identity_kernel"),
        ("brennan_prediger", "s_score", "identity_kernel"),
        ("gwet_ac1", "gwets_gamma", "identity_kernel"),
        ("gwet_ac2_linear", "gwets_gamma", "linear_kernel"),
        ("gwet_ac2_quadratic", "gwets_gamma", "quadratic_kernel"),
        ("krippendorff_alpha_nominal", "krippendorffs_alpha", "identity_kernel"),
        ("krippendorff_alpha_interval", "krippendorffs_alpha", "quadratic_kernel"),
    ):
        yield Oracle("agreement", name, "counts", partial(_agreement, function, kernel))
    yield Oracle("agreement", "conger_kappa", "whole", _agreement_conger)


def _of_pairs() -> Iterator[Oracle]:
    for suffix, weights in (("", None), ("_linear", "linear"), ("_quadratic", "quadratic")):
        name = f"cohen_kappa{suffix}"
        yield Oracle("statsmodels", name, "two_way", partial(_statsmodels_cohen, weights), pair_only=True)
        yield Oracle("scikit-learn", name, "pair", partial(_sklearn_cohen, weights), pair_only=True)
    yield Oracle("nltk", "cohen_kappa", "pair", partial(_nltk_pair, "kappa"), pair_only=True)
    yield Oracle("nltk", "scott_pi", "pair", partial(_nltk_pair, "pi"), pair_only=True)


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
)


def _figure(oracle: Oracle, table: Table, repeats: int) -> dict[str, Any]:
    form = table if oracle.form == "whole" else getattr(table, oracle.form)
    found: float | Outcome = math.nan
    undefined = None
    seconds = math.inf
    for _ in range(repeats):
        start = time.perf_counter()
        try:
            found = oracle.call(form, table.categories)
        except Exception as error:  # noqa: BLE001 - how a package fails is part of the comparison
            undefined = f"{type(error).__name__}: {error}".splitlines()[0].rstrip(": ")
        seconds = min(seconds, time.perf_counter() - start)
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
        "seconds": seconds,
    }


def main() -> None:
    """One request on stdin, one answer on stdout."""
    warnings.simplefilter("ignore")
    request = json.load(sys.stdin)
    wanted = {tuple(one) for one in request.get("figures") or ()}
    chosen = [one for one in ORACLES if not wanted or (one.package, one.name) in wanted]
    for oracle in chosen:
        for module in MODULES[oracle.package]:
            import_module(module)
    tables = []
    for asked in request["tables"]:
        table = Table(np.array(asked["labels"], dtype=float), asked["categories"])
        apply = [one for one in chosen if not one.pair_only or len(table.labels) == 2]
        tables.append([_figure(one, table, request.get("repeats", 1)) for one in apply])
    versions = {package: version(package) for package in sorted({one.package for one in chosen})}
    json.dump({"versions": versions, "tables": tables}, sys.stdout)


if __name__ == "__main__":
    main()
