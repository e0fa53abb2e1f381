"""Sentences on parsing: answers that were not parsed, or only by the flexible parser."""

from collections import Counter
from collections.abc import Collection, Iterable

from clinicnum.annotations.report.model_run import ModelRun, in_a_sentence, listed
from clinicnum.annotations.report.question_summary import points_only, rule_sentences
from clinicnum.item_dimensions import kind_name
from clinicnum.stats.jackknife import how_many
from clinicnum.stats.rounded_figures import percent
from clinicnum.types import Instance

UNREAD = (
    "a text that neither marks an answer nor plainly gives its only value as one, in a form that the scorer "
    "reads, {was} wrong, also where a person could read it"
)
"""How lenient accuracy treats unparsed texts; `was`: the verb."""
WIDER = "a wider automatic reading, which may err,"
"""What flexible parsing is called."""
NO_FORM_ASKED = "strict is shown only where a prompt of clinicnum's asked for the form"
NONE_RIGHT = "no answer is right; the form of wrong ones is not judged"
READINGS_ONLY = (
    "only the value that MedCalc-Bench's script kept was read: lenient does not say whether the model's text "
    "marked it, and flexible is not shown"
)
NO_VALUE = "name 'N' is not defined"
"""What MedCalc-Bench's script keeps where it found no value in an answer that is a number."""
MANY_MISSED = 0.05
"""Share of a run's answers right by flexible parsing only from which the report says so."""
MANY_UNREAD = 0.2
"""Share of a run's texts without a parsed answer above which the report asks to look at them."""


def lenient_said(runs: Collection[ModelRun], instances: Collection[Instance]) -> str:
    """What counts as right, and the other verdict that is shown beside it."""
    rule = rule_sentences(instances)
    if only_readings(runs):
        return f"whose stored reading is right (lenient). {rule}. "
    if points_only(instances):
        return f"that are right (lenient). {rule}. "
    return (
        "with the right answer, marked as one in the text, or the text's only value and plainly given as "
        f"one, in a form that the scorer reads (lenient). {rule}. "
        f"Flexible also counts what {WIDER} has right.{wider_reading(runs)} "
    )


def unread_said(runs: Collection[ModelRun], instances: Collection[Instance]) -> str:
    """Clause on how unread texts count; empty where answers need not be marked."""
    return "" if only_readings(runs) or points_only(instances) else f"; {UNREAD.format(was='is')}"


def hardly_read(runs: Collection[ModelRun]) -> str:
    """A sentence for each run of which many texts were not parsed, or many answers are right by flexible
    parsing only, then the number of unparsed texts of the other runs, and for each run of which many texts
    were cut off before all points were found; empty if there is no such run.
    """
    told, rest, quiet = "", 0, 0
    for run in runs:
        asked = [one for one in run.headline if one.instance.scoring != "points"]
        found = Counter(one.score.status for one in asked)
        cut = found["truncated"]
        n = found["unparsable"] + found["empty"] + cut
        wider = sum(bool(one.score.flexible) and not one.score.lenient for one in asked)
        if n > MANY_UNREAD * len(asked) or wider >= MANY_MISSED * max(1, len(asked)):
            read = sum(one.generation.finish_reason == "length" for one in asked) - cut
            read_too = f"; {read} more {'was' if read == 1 else 'were'} cut off and read all the same" * (
                read > 0
            )
            declining = sum(one.score.status == "abstained" and not one.right for one in asked)
            declined = f" and reads {declining} more as declining" * bool(declining)
            cut_off = f" ({cut} of them cut off{read_too})" * bool(cut)
            told += (
                f" The scorer takes no answer from {n} of {len(asked)} texts of {run.name}{declined}, "
                f"and counts that as wrong{cut_off}: look whether they hold one"
                f"{f'; {WIDER} has {wider} more right' * bool(wider)}."
            )
        else:
            rest, quiet = rest + n, quiet + 1
    more = f" It takes none from {how_many(rest, 'text')} of the other run{'s' * (quiet > 1)} either."
    return told + more * bool(told and rest) + "".join(map(_cut_before_points, runs))


def _cut_before_points(run: ModelRun) -> str:
    """A sentence that many texts in which points are sought were cut off; empty if few or none were."""
    asked = [one for one in run.headline if one.instance.scoring == "points"]
    n = sum(one.score.status == "truncated" for one in asked)
    if n <= MANY_UNREAD * len(asked):
        return ""
    texts = f"{n} of {how_many(len(asked), 'text')} of {run.name}"
    return f" {texts} were cut off before all points were found, and count as wrong."


def sources_of_readings(runs: Collection[ModelRun]) -> str:
    """What the sentences of `hardly_read` are counted from, to be appended to the sources of the table in
    whose note they stand; empty if they need no further ones.
    """
    said = hardly_read(runs)
    return ", flexible" * (WIDER in said) + "; the runs' generations: finish_reason" * ("cut off" in said)


def wider_reading(runs: Iterable[ModelRun]) -> str:
    """A sentence on answers that are right by flexible parsing only, by model; empty without any."""
    found = {
        run.name: sum(bool(one.score.flexible) and not one.score.lenient for one in run.headline)
        for run in runs
        if not run.keeps_readings
    }
    named = ", ".join(f"{name} {n}" for name, n in found.items() if n)
    if not named:
        return ""
    n = sum(found.values())
    verb = "is" if n == 1 else "are"
    return f" {how_many(n, 'answer')} {verb} right by the wider reading (flexible) and not by this: {named}."


def stored_answers(runs: Iterable[ModelRun]) -> str:
    """What is known about answers stored by MedCalc-Bench, one sentence per run; empty without any."""
    return "".join(_stored(run) for run in runs if run.keeps_readings)


def _stored(run: ModelRun) -> str:
    said = (
        f" The answers of {run.name} are MedCalc-Bench's: MedCalc-Bench keeps the value that its own script "
        "read or calculated out of an answer, not the answer; whether that marked a value or named others is "
        "not known"
    )
    if not run.failed:
        return f"{said}."
    return (
        f"{said}. {run.failed} of the {len(run.answers)} {'is an error' if run.failed == 1 else 'are errors'}"
        " of that script in place of an answer (known by their text, a message of Python: scores.csv, reason)"
        f"{_no_value(run)}{_only_errors(run)}. MedCalc-Bench counts "
        f"them as wrong, which makes {errors_wrong(run)} here."
    )


def _no_value(run: ModelRun) -> str:
    """How many errors of MedCalc-Bench's script say that it found no value that it could evaluate; empty
    without any.

    It then evaluates the text N/A (its `run.py` and `evaluate.py`).
    """
    n = sum(one.generation.error == NO_VALUE for one in run.answers if one.failed)
    return (
        f"; {n} of them ({NO_VALUE}) say that it found no value in the answer, or none that it could evaluate"
        * bool(n)
    )


def _only_errors(run: ModelRun) -> str:
    """A clause on the kinds of items on which a run has errors only, so that its accuracy says nothing of
    them; empty if there are none.
    """
    answered = {kind_name(one.instance) for one in run.answers if not one.failed}
    lost = Counter(kind_name(one.instance) for one in run.answers if one.failed)
    named = [f"{in_a_sentence(name)} ({n})" for name, n in lost.items() if name not in answered]
    if not named:
        return ""
    return (
        f"; all its answers of {listed(named)} are errors of this script, so its accuracy says nothing of "
        "these"
    )


def only_readings(runs: Collection[ModelRun]) -> bool:
    """Whether, in all runs, only the values that MedCalc-Bench's script parsed were kept; False without a
    run.
    """
    return bool(runs) and all(run.keeps_readings for run in runs)


def errors_wrong(run: ModelRun) -> str:
    """Accuracy of a run with errors counted as wrong, as `30 of 40 (75.0 %)`."""
    right, n = run.errors_wrong
    return f"{right} of {n} ({percent(right / n)} %)" if n else "0 of 0"


def errors_left_out(run: ModelRun) -> str:
    """Words to append to a figure, such as `, 3 errors left out`: the run's samples with an error in place of
    an answer. Empty if it has none.
    """
    return f", {how_many(run.failed, 'error')} left out" * bool(run.failed)


def values_judged(runs: Iterable[ModelRun]) -> str:
    """A sentence on runs of which annotators saw parsed values and no texts; empty without any."""
    names = [in_a_sentence(run.name) for run in runs if run.keeps_readings]
    return (
        f" An answer of {listed(names)} here is not the model's text, but the value that MedCalc-Bench's "
        "script read or calculated out of it."
        if names
        else ""
    )


def kept_for_responses(runs: Iterable[ModelRun]) -> str:
    """Note on runs of whose texts only the parsed values were kept; empty without any."""
    names = [in_a_sentence(run.name) for run in runs if run.keeps_readings]
    return f" A response of {listed(names)} here is what MedCalc-Bench's script kept of it." if names else ""
