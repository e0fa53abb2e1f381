"""Agreement coefficients by other packages, as test oracles: JSON on standard input and output.

Runs in the environment of `scripts/dev/oracles`, started by `scripts/dev/run_agreement_packages.py`.

In: {"tables": [{"labels": annotators x items, 0 to categories - 1 or null; "categories": n; "sets": true if
a label is a set of codes, code k in it if bit k of the number is 1}],
"figures": [[package, name], ...] or absent for all that apply, "repeats": n or absent for 1}.
Out: {"versions": {package: version}, "tables": [[{"package", "name", "value", "se", "ci95", "undefined",
"seconds"}, ...], ...]}.

Names are those of clinicnum; categories are ordered numbers 0, 1, 2 and so on. `undefined` says what the
package did instead of returning a number. `seconds` is the best of the repeats, without converting the
labels to the package's format.
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

from clinicnum.scripts.dev import coefficients_by_other_packages as calls
from clinicnum.scripts.dev.labels_for_other_packages import Table

MODULES = {
    "agreement": ("agreement.metrics", "agreement.utils.kernels"),
    "irrCAC": ("irrCAC.raw",),
    "krippendorff": ("krippendorff",),
    "nltk": ("nltk.metrics.agreement", "nltk.metrics.distance"),
    "pyirr": ("pyirr",),
    "scikit-learn": ("sklearn.metrics",),
    "statsmodels": ("statsmodels.stats.inter_rater", "statsmodels.formula.api", "statsmodels.stats.anova"),
}
"""Packages imported before any clock starts."""


@dataclass(frozen=True)
class Oracle:
    """One coefficient as computed by one package."""

    package: str
    name: str
    form: str
    """Attribute of a Table that the call takes; computed before the clock starts."""
    call: Callable[[Any, int], float | calls.Outcome]
    """Computes the figure from that form and the number of categories."""
    pair_only: bool = False
    two_categories: bool = False
    sets: bool = False

    def applies(self, table: Table) -> bool:
        """Whether the coefficient is defined for this table."""
        return (
            self.sets == table.sets
            and (not self.pair_only or len(table.labels) == 2)
            and (not self.two_categories or table.categories == 2)
        )


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
        yield Oracle("irrCAC", name, "frame", partial(calls.irrcac, method, weights))
    yield Oracle("irrCAC", "percent_agreement", "frame", calls.irrcac_observed)
    yield Oracle("irrCAC", "krippendorff_alpha_ordinal", "whole", calls.irrcac_ordinal)
    scott = partial(calls.irrcac, "fleiss", "identity")
    yield Oracle("irrCAC", "scott_pi", "paired_frame", scott, pair_only=True)
    pabak = partial(calls.irrcac, "bp", "identity")
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
        yield Oracle("agreement", name, "counts", partial(calls.agreement, function, kernel))
    yield Oracle("agreement", "conger_kappa", "whole", calls.agreement_conger)
    scott = partial(calls.agreement, "scotts_pi", "identity_kernel")
    yield Oracle("agreement", "scott_pi", "paired_counts", scott, pair_only=True)
    pabak = partial(calls.agreement, "s_score", "identity_kernel")
    yield Oracle("agreement", "pabak", "counts", pabak, pair_only=True, two_categories=True)


def _of_pairs() -> Iterator[Oracle]:
    for suffix, weights in (("", None), ("_linear", "linear"), ("_quadratic", "quadratic")):
        name = f"cohen_kappa{suffix}"
        yield Oracle(
            "statsmodels", name, "two_way", partial(calls.statsmodels_cohen, weights), pair_only=True
        )
        yield Oracle("scikit-learn", name, "pair", partial(calls.sklearn_cohen, weights), pair_only=True)
    yield Oracle("nltk", "cohen_kappa", "pair", partial(calls.nltk_pair, "kappa"), pair_only=True)
    yield Oracle("nltk", "scott_pi", "pair", partial(calls.nltk_pair, "pi"), pair_only=True)


def _of_intraclass() -> Iterator[Oracle]:
    for form, model, kind in (
        ("1", "oneway", "consistency"),
        ("2", "twoway", "agreement"),
        ("3", "twoway", "consistency"),
    ):
        for mean, unit in (("1", "single"), ("k", "average")):
            name = f"icc({form},{mean})"
            yield Oracle("pyirr", name, "labels", partial(calls.pyirr_icc, model, kind, unit))
            yield Oracle("statsmodels", name, "mean_squares", partial(calls.anova_icc, name))


def _of_sets() -> Iterator[Oracle]:
    for measure in ("masi", "jaccard"):
        name = f"krippendorff_alpha_{measure}"
        yield Oracle("krippendorff", name, "labels", partial(calls.krippendorff_sets, measure), sets=True)
        nltk = partial(calls.nltk, "alpha", f"{measure}_distance")
        yield Oracle("nltk", name, "set_triples", nltk, sets=True)


ORACLES: tuple[Oracle, ...] = (
    *(
        Oracle("krippendorff", f"krippendorff_alpha_{level}", "labels", partial(calls.krippendorff, level))
        for level in ("nominal", "ordinal", "interval")
    ),
    *_of_irrcac(),
    *_of_agreement(),
    Oracle("statsmodels", "fleiss_kappa", "counts", partial(calls.statsmodels, "fleiss")),
    Oracle("statsmodels", "randolph_kappa_free", "counts", partial(calls.statsmodels, "randolph")),
    *_of_pairs(),
    Oracle("nltk", "krippendorff_alpha_nominal", "triples", partial(calls.nltk, "alpha", "binary_distance")),
    Oracle(
        "nltk", "krippendorff_alpha_interval", "triples", partial(calls.nltk, "alpha", "interval_distance")
    ),
    *(
        Oracle("pyirr", f"krippendorff_alpha_{level}", "labels", partial(calls.pyirr, level))
        for level in ("nominal", "ordinal", "interval")
    ),
    *_of_intraclass(),
    *_of_sets(),
)


def _figure(oracle: Oracle, table: Table, repeats: int) -> dict[str, Any]:
    found: float | calls.Outcome = math.nan
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
