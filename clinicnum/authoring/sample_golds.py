"""Compute the golds of templates on sample patients without rendering contexts, so that two templates can be
compared on the same values of their slots.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from clinicnum.authoring.sample_patients import sample_patients
from clinicnum.authoring.template_trial_outcomes import MAX_RECORDS
from clinicnum.generation.candidate_questions import MIN_RECORDS, scattered
from clinicnum.questions.ask_question import NotAskedError, PreparedTemplate, RejectedError, fillings, gold_of
from clinicnum.questions.givens import draw_givens
from clinicnum.records.loaded_records import Context
from clinicnum.templates.evaluation_input import Case, Table, table_of
from clinicnum.templates.template import Template
from clinicnum.types import Vital

PER_CONTEXT = 2
"""Fillings that are tried on one context."""


class SampleFilling(NamedTuple):
    """One choice of values for the slots and givens of a template, on one sample patient."""

    records: Context
    table: Table
    filling: Mapping[str, int | str]
    givens: Mapping[str, str]

    def words(self) -> dict[str, str]:
        """Slot or given -> its value as the wording shows it (a record's time)."""
        said = {n: self.table.times[v] if isinstance(v, int) else v for n, v in self.filling.items()}
        return {**said, **self.givens}


def sample_fillings(template: Template, vitals: frozenset[Vital], seed: int) -> Iterator[SampleFilling]:
    """Yield choices of values for a template's slots and givens on sample stays.

    Of each stay, only the records that document all of `vitals` are used.
    """
    (contexts,) = sample_patients(seed).blocks(1, "stay")
    for context in contexts:
        records = tuple(r for r in context if all(getattr(r, vital) is not None for vital in vitals))
        if not MIN_RECORDS <= len(records) <= MAX_RECORDS:
            continue
        table, ways = table_of(records), fillings(template, len(records))
        key = f"{seed}:{records[0].stay_id}"
        for turn in range(min(PER_CONTEXT, len(ways))):
            place = scattered(turn, len(ways), key)
            givens = draw_givens(template, records, f"{key}:{place}")
            if givens is not None:
                yield SampleFilling(records, table, ways[place], givens)


def case_of(template: Template, on: SampleFilling) -> Case:
    """A sample filling as a `Case`, which the evaluator takes."""
    at = {name: index for name, index in on.filling.items() if isinstance(index, int)}
    choices = {name: word for name, word in on.filling.items() if isinstance(word, str)}
    return Case(on.table, template.decimals or 0, at, choices, on.givens)


def gold_text(asked: PreparedTemplate, on: SampleFilling) -> str | None:
    """Text of a template's gold on a sample filling; `none: RULE` if a rule forbids an answer; None if the
    template's own condition is not met.
    """
    try:
        return gold_of(asked, case_of(asked.template, on)).text
    except RejectedError as rejection:
        return f"none: {rejection}"
    except NotAskedError:
        return None
