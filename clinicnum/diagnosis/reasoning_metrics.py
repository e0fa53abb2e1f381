"""Measures of a working, whatever its answer: factuality, groundedness, efficiency, completeness.

After the three perspectives of MedR-Bench's Reasoning Evaluator (Qiu et al., arXiv 2503.04691): factuality,
efficiency, completeness. There a language model judges steps of free text; here they are counted, so the
definitions are clinicnum's own:

- factuality: the share of written equations that hold, and the share of written numbers that are grounded or
  derivable (`reasoning_trace_check`);
- efficiency: the share of written equations whose result is one of the worked solution's: the rest are
  detours, or errors;
- completeness: the share of the worked solution's steps that are there. A step is there if the text has its
  last number, rounded to the digits written; if it ends or begins with a time, that time as well.

A share of nothing (no equation, no number, no worked solution, as of items made elsewhere) is None.
"""

from collections.abc import Sequence

from clinicnum.diagnosis.calculation_findings import Gold
from clinicnum.diagnosis.instance_facts import Facts
from clinicnum.diagnosis.numbers_in_text import fold_case, half_unit, moments_in, numbers_in, without_times
from clinicnum.diagnosis.reasoning_trace_check import Trace
from clinicnum.types import Frozen, Generation, Instance


class StepMeasures(Frozen):
    """Counts on one generation's working."""

    generation_id: str
    equations: int
    """Written equations that can be recomputed."""
    equations_hold: int
    equations_of_the_working: int
    """Written equations whose result is one of the worked solution's."""
    numbers: int
    """Written numbers without those of dates and times, the answer included."""
    numbers_grounded: int
    """How many of the numbers are grounded or derivable."""
    steps: int
    """Steps of the worked solution."""
    steps_present: int

    @property
    def factuality(self) -> float | None:
        """Correct equations / equations; None without equations."""
        return _share(self.equations_hold, self.equations)

    @property
    def groundedness(self) -> float | None:
        """Supported numbers / numbers; None without numbers."""
        return _share(self.numbers_grounded, self.numbers)

    @property
    def efficiency(self) -> float | None:
        """Equations of the worked solution / equations; None without either."""
        return _share(self.equations_of_the_working, self.equations) if self.steps else None

    @property
    def completeness(self) -> float | None:
        """Steps present / steps of the worked solution; None without one."""
        return _share(self.steps_present, self.steps)


def measure_steps(*, instance: Instance, generation: Generation) -> StepMeasures:
    """The measures of one generation. Never raises because of a text."""
    trace = Trace(Facts(instance), generation.text)
    gold = Gold(trace.facts)
    return StepMeasures(
        generation_id=generation.generation_id,
        equations=len(trace.equations),
        equations_hold=sum(equation.holds for equation in trace.equations),
        equations_of_the_working=sum(gold.has(equation) for equation in trace.equations),
        numbers=len(trace.judged),
        numbers_grounded=sum(judged.standing != "neither" for judged in trace.judged),
        steps=len(instance.worked),
        steps_present=sum(_is_there(step, trace) for step in instance.worked),
    )


def _is_there(step: str, trace: Trace) -> bool:
    low = fold_case(step)
    moments = moments_in(low)
    by_record = bool(moments) and moments[0].start == 0
    concluding = bool(moments) and low[moments[-1].end :].strip(" .") == ""
    if by_record or concluding:
        wanted = {record for moment in moments for record in trace.facts.records_at(moment)}
        told = {record for records in trace.at for record in records}
        if not wanted <= told:
            return False
    numbers = numbers_in(without_times(low, moments))
    return concluding or not numbers or _stands(numbers[-1].value, trace)


def _stands(value: float, trace: Trace) -> bool:
    """Whether the text contains a number, possibly rounded at its last digit."""
    return any(abs(number.value - value) <= half_unit(number.decimals) for number in trace.numbers)


def mean_shares(measures: Sequence[StepMeasures]) -> dict[str, float | None]:
    """Mean of each measure over the generations that have it; None if none has."""
    found: dict[str, float | None] = {}
    for name in ("factuality", "groundedness", "efficiency", "completeness"):
        shares = [share for one in measures if (share := getattr(one, name)) is not None]
        found[name] = sum(shares) / len(shares) if shares else None
    return found


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
