"""The names under which people see runs: what somebody called one, else its model, else its id."""

from collections import Counter
from collections.abc import Iterable
from typing import Protocol

from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable

LONGEST_LABEL = 80
_SHORT = 8
"""Characters of an id that tell most runs apart."""


class NamedRun(Protocol):
    """The parts of a run's name; `clinicnum.annotations.study_summary.RunSummary` has them."""

    @property
    def run(self) -> str:
        """Row id, unique in the database."""
        ...

    @property
    def run_id(self) -> str:
        """The id in the run's file, unique on its benchmark."""
        ...

    @property
    def model(self) -> str | None:
        """The model as the run's meta names it; None if it names none."""
        ...

    @property
    def label(self) -> str | None:
        """The name that somebody gave the run; None without one."""
        ...


def display_names(runs: Iterable[NamedRun]) -> dict[str, str]:
    """Row id -> name: the label, else the model, else the run_id; no two of these runs have the same name.

    Runs that share a name get the beginning of their run_id appended; if that is not enough the whole run_id,
    and then their row id.
    """
    runs = tuple(runs)
    names = {one.run: one.label or one.model or one.run_id for one in runs}
    for suffix in ("short", "run_id", "run"):
        often = Counter(names.values())
        for one in runs:
            if often[names[one.run]] > 1:
                told = {"short": one.run_id[:_SHORT], "run_id": one.run_id, "run": one.run}[suffix]
                names[one.run] = f"{one.label or one.model or one.run_id} ({told})"
    return names


def read_label(text: str, most: int = LONGEST_LABEL) -> str | None:
    """The label of a run or the name of a benchmark, stripped; None if empty. Raises InputError for one of
    more than `most` characters, or unprintable.
    """
    label = " ".join(text.split())
    if len(label) > most or not label.isprintable():
        raise InputError(
            Translatable(
                "The name has {n} characters, or some that cannot be printed; expected at most {most} plain "
                "characters.",
                n=len(label),
                most=most,
            )
        )
    return label or None
