"""Python's collector of reference cycles, made to look seldom while very many objects come and go."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

SELDOM = 100_000
"""Objects made between two looks. Generating and scoring make hardly any cycles: looking often costs 8 % for
nothing."""


@contextmanager
def seldom_collecting() -> Iterator[None]:
    """Within the block: what is there already is not looked at, what is made is looked at seldom."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(SELDOM, 50, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
