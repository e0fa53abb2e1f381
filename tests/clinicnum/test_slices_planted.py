"""How often a search finds what is planted, and how often it finds what is not there.

`scripts/dev/evidence slices` draws 200 models of each kind; the suite draws a few. `docs/slices.md` has the
figures.
"""

import os

import numpy as np
import pytest

from clinicnum.slices.find_slices import find_slices
from tests.clinicnum.planted_slices import FACETS, PATTERNS, draw, is_false, is_found, patterns

DRAWS = int(os.environ.get("CLINICNUM_SIMULATIONS", "6"))
FEW = DRAWS < 100
"""Chance moves the shares of few draws: the bounds are then wider."""


@pytest.mark.parametrize("name", PATTERNS)
@pytest.mark.parametrize("templates", [0.0, 0.5])
def test_a_planted_pattern_is_found_in_nine_of_ten_models(name: str, templates: float) -> None:
    harder, facets, drop = patterns()[name]
    found, named, others, false = [], [], 0, 0
    for seed in range(DRAWS):
        drawn = draw([1, seed], base=0.72, subjects=0.5, templates=templates, harder=drop * harder)
        slices = find_slices(drawn.answers, FACETS, seed=seed).slices
        hits = [one for one in slices if is_found(one, harder)]
        found.append(bool(hits))
        named.append(any({each.facet for each in one.conditions} == facets for one in hits))
        others += len(slices) - len(hits)
        false += any(is_false(one, drawn) for one in slices)
    shares = f"{np.mean(found):.1%} | {np.mean(named):.1%} | {others / DRAWS:.2f} | {false / DRAWS:.1%}"
    print(f"| {name} | {templates} | {shares} |")
    assert np.mean(found) >= (0.75 if FEW else 0.9)
    assert false / DRAWS <= (0.25 if FEW else 0.05)


@pytest.mark.parametrize(
    ("base", "subjects", "templates"),
    [
        (0.6, 0.5, 0.0),
        (0.75, 0.5, 0.0),
        (0.85, 0.5, 0.0),
        (0.75, 1.0, 0.0),
        (0.75, 0.5, 1.0),
        (0.75, 1.0, 1.0),
    ],
)
def test_where_nothing_is_planted_hardly_any_slice_is_false(
    base: float, subjects: float, templates: float
) -> None:
    false, tested = 0, 0
    for seed in range(DRAWS):
        drawn = draw([2, seed], base=base, subjects=subjects, templates=templates)
        search = find_slices(drawn.answers, FACETS, seed=seed)
        false += any(is_false(one, drawn) for one in search.slices)
        tested += search.n_tested
    print(f"| {base} | {subjects} | {templates} | {tested / DRAWS:.1f} | {false / DRAWS:.1%} |")
    assert false / DRAWS <= (0.25 if FEW else 0.05)
