"""Score a generation against its instance: whether the answer is right, and whether it has the requested
form.

There is one module per kind of answer, which documents what is compared, with which tolerance and from which
source, and what is not accepted: `numeric` (numbers, counts, dates and times, and unanswerable questions),
`medcalc`, `multiple_choice`, `medec` and `answer_point_recall`. `clinicnum.parsing` documents how an answer
is found in a text.

Each score has three verdicts: `lenient`, the right value in an answer that the text marks as one (or that is
all it says); `strict`, the same in the requested form; `flexible`, the right value wherever a careful reader
finds it (`parsing.flexible_answer`). The status follows `lenient`. A text in which no answer is marked is
`unparsable`, `abstained`, `empty` or `truncated`; a sample that holds an error in place of an answer is an
`error`. No text raises an exception and nothing is evaluated as code; the score holds what was read and the
reason for the verdict. Where an instance's prompt asks for no form, or for another one than its scorer knows,
`strict` is `lenient`: nothing fails a form that was not asked for.
"""

from clinicnum.errors import InputError
from clinicnum.parsing import Reading
from clinicnum.prompt import asks_judged_form
from clinicnum.scoring import answer_point_recall, medcalc, medec, multiple_choice, numeric
from clinicnum.scoring.shared_scoring_steps import failed
from clinicnum.types import Generation, Instance, Score

__all__ = ["check_scorable", "read_generated", "score"]

_JUDGES = {
    "numeric": numeric.judge,
    "medcalc": medcalc.judge,
    "choice": multiple_choice.judge,
    "medec": medec.judge,
    "points": answer_point_recall.judge,
}
_FAULTS = {
    "numeric": numeric.fault,
    "medcalc": medcalc.fault,
    "choice": multiple_choice.fault,
    "medec": medec.fault,
    "points": answer_point_recall.fault,
}
_READERS = {"numeric": numeric.read, "medcalc": medcalc.read, "choice": multiple_choice.read}


def check_scorable(instance: Instance) -> None:
    """Raise InputError for an instance whose gold cannot be scored."""
    fault = _FAULTS[instance.scoring](instance)
    if fault is not None:
        raise InputError(f"instance {instance.instance_id}: {fault}")


def score(*, instance: Instance, generation: Generation) -> Score:
    """Score one generation. No text raises an error.

    Raises InputError for an instance whose gold cannot be scored.
    """
    check_scorable(instance)
    if generation.finish_reason == "error":
        return failed(generation)
    found = _JUDGES[instance.scoring](instance, generation)
    if found.strict == found.lenient or asks_judged_form(instance):
        return found
    return found.model_copy(update={"strict": found.lenient})


def read_generated(text: str, instance: Instance, *, cut_off: bool) -> Reading | None:
    """The answer read from a text, which may be `cut_off`; None for a kind of answer that is not a single
    value, or a faulty gold.
    """
    reader = _READERS.get(instance.scoring)
    if reader is None or _FAULTS[instance.scoring](instance) is not None:
        return None
    return reader(instance, text, cut_off)
