"""Sentences that describe the questions of a report and the rules by which answers were scored."""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from clinicnum.annotations.report.model_run import ModelRun
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.scoring.medec import CORRECT
from clinicnum.scoring.multiple_choice import right_option
from clinicnum.stats.jackknife import how_many
from clinicnum.stats.rounded_figures import percent
from clinicnum.types import Instance, Scoring

_SUBJECT, _CONTEXT = attrgetter("subject_id"), attrgetter("context")
RULES: Mapping[Scoring, str] = {
    "numeric": "its value equalled the gold at the asked precision, whatever its form",
    "medcalc": "it lay within the limits given with the item (MedCalc-Bench: 5 % to either side of the "
    "gold; dates and lengths of time exactly; what else it calls an integer after rounding to a whole "
    "number)",
    "choice": "it marked the right option, and no other, as its answer (one merely named beside it, as where "
    "the text opens, does not count) in a form that the scorer knows, by letter or text (such as “the "
    "answer is B”, “option B”, a "
    "last line that is only “B)”), or, if short and without a mark, named no other option; a text that marks "
    "several options, sets a letter beside the words of another option, is cut off or ends before its answer "
    "is not always read, and then counts as wrong",
    "medec": "it named the sentence with the error, or said that there was none where there was none; "
    "its correction does not count",
    "points": "all points that an answer must hold were found in it",
}
"""When an answer counts as right, by kind of scoring."""
_SOURCES = {
    "medcalc": "MedCalc-Bench",
    "medec": "MEDEC",
    "choice": "multiple-choice questions",
    "text": "free-text questions with answer points",
    "healthbench": "HealthBench",
    "clinicnumrobbench": "ClinicNumRobBench",
    "csv-number": "questions with numbers or times for answers",
    "csv-choice": "multiple-choice questions",
    "csv-text": "questions with texts for answers",
}


_FORMS: Mapping[Scoring, str] = {
    "numeric": "a JSON object whose `answer` is the value alone, with the asked decimals and no other unit",
    "medcalc": "a JSON object whose `answer` is a bare number, a date as MM/DD/YYYY or a length of time as "
    "(4 weeks, 3 days)",
    "choice": "a JSON object whose `answer` is the capital letter alone",
    "medec": "CORRECT, or the id of the sentence and the sentence corrected, and nothing else",
}
"""The form that clinicnum's prompts ask for, by kind of scoring; docs/scoring.md."""
COMMON = 0.2
"""Minimum accuracy of always giving the commonest gold for the report to mention it."""


def rule_sentences(instances: Iterable[Instance]) -> str:
    """When an answer counts as right: one sentence for each kind of scoring in use."""
    found = dict.fromkeys(one.scoring for one in instances)
    if len(found) <= 1:
        return "".join(f"An answer counted as right if {RULES[one]}" for one in found)
    told = "; ".join(f"({place}) {RULES[one]}" for place, one in enumerate(found, start=1))
    return f"By its kind of item, an answer counted as right if {told}"


def points_only(instances: Iterable[Instance]) -> bool:
    """Whether every answer is scored by the points found in it, so that nothing need be marked in it."""
    return {one.scoring for one in instances} == {"points"}


def forms_asked(instances: Iterable[Instance]) -> str:
    """The asked form of each kind of answer in use, in brackets; empty where no form is asked of any."""
    found = [_FORMS[one] for one in dict.fromkeys(one.scoring for one in instances) if one in _FORMS]
    return f" ({'; or '.join(found)})" * bool(found)


def source_of(benchmark: Mapping[str, Any]) -> str:
    """In words, the benchmark or kind of file that items are from, with the name of the file."""
    form, columns = str(benchmark.get("source_format")), benchmark.get("columns")
    known = _SOURCES.get(form, "items made elsewhere")
    if form == "csv-choice" and isinstance(columns, Mapping) and "option_a" not in columns:
        known = "questions to which the import gave the values of the column of gold answers as options"
    name = benchmark.get("source")
    return f"{known}, made elsewhere" + (f" (file {name})" if name else "")


def templates_word(instances: Collection[Instance]) -> str:
    """The name for the groups of items with the same `template_id`."""
    return "kinds of items" if made_elsewhere(instances) else "templates"


def subjects_word(instances: Collection[Instance]) -> str:
    """Unit to which intervals generalise: subjects, or questions if each is its own subject."""
    each = made_elsewhere(instances) and len({one.subject_id for one in instances}) == len(instances)
    return "questions" if each else "subjects"


def variants_drawn(tables: StudyTables) -> str:
    """How many answers to variants were drawn, as a clause; empty if there are none, or if the study's filter
    restricts variants.
    """
    variants = {one.instance_id for one in tables.instances if one.variant is not None}
    answers = {one.generation_id for one in tables.generations if one.instance_id in variants}
    if not answers or (tables.design is not None and tables.design.where.variants):
        return ""
    n = sum(one.generation_id in answers for one in tables.inclusions)
    if not n:
        return (
            f"; base questions alone were drawn, none of the {how_many(len(answers), 'answer')} to variants"
        )
    were = "was" if n == 1 else "were"
    return f"; {n} of the {how_many(len(answers), 'answer')} to variants {were} drawn, in strata of their own"


def ids_and_texts(instances: Collection[Instance]) -> str:
    """Number of distinct subject ids and, if any question has a text, of texts; as part of a sentence."""
    ids, texts = (len({read(one) for one in instances}) for read in (_SUBJECT, _CONTEXT))
    on = f" and on {how_many(texts, 'text')}" * any(one.context for one in instances)
    return f"under {how_many(ids, 'subject id')}{on}"


def subjects_said(instances: Collection[Instance]) -> str:
    """What counts as a subject among imported questions; empty if ids and texts match one to one, and for own
    questions.
    """
    instances = _bases(instances)
    pairs = {(one.subject_id, one.context) for one in instances}
    ids, texts = (Counter(pair[place] for pair in pairs) for place in (0, 1))
    if not made_elsewhere(instances) or len(pairs) == len(ids) == len(texts):
        return ""
    if not any(one.context for one in instances):
        alike = _alike(instances)
        whose = f"what shares a subject id: {how_many(len(ids), 'id')}"
        if len(ids) == len(instances):
            whose = "one question"
        return (
            f" A subject here is {whose}; no text stands beside a question."
            + f" {how_many(len(alike), 'set')} of questions with the same options and gold, which may differ "
            "in wording only, count as different ones." * bool(alike)
        )
    several, under = (sum(n > 1 for n in one.values()) for one in (ids, texts))
    return (
        f" A subject here is what shares a subject id: {how_many(len(ids), 'id')} on "
        f"{how_many(len(texts), 'text')}; {how_many(several, 'id')} {'has' if several == 1 else 'have'} "
        f"several texts, and {how_many(under, 'text')} {'stands' if under == 1 else 'stand'} word for word "
        f"under several ids{_near(instances)}."
    )


def constant_answer(instances: Collection[Instance], runs: Sequence[ModelRun]) -> str:
    """A sentence on the accuracy of always giving the commonest gold of imported items, by model if models
    answered different items.

    Empty if that accuracy is under `COMMON`, and for own questions.
    """
    instances = _bases(instances)
    if not made_elsewhere(instances):
        return ""
    golds = {run.name: Counter(one.instance.answer for one in run.headline) for run in runs}
    if all(one == Counter(each.answer for each in instances) for one in golds.values()):
        most, n, of = _commonest(Counter(one.answer for one in instances))
        are = f"golds, {' and '.join(most)}, are each" if len(most) > 1 else f"gold, {''.join(most)}, is"
        return (
            f" The commonest {are} that of {n} of {of} items ({percent(n / of)} %): so much is right over "
            f"all of them if {'one' if len(most) > 1 else 'it'} is always given."
        ) * (n >= COMMON * of)
    found = {name: _commonest(one) for name, one in golds.items() if one}
    if not any(n >= COMMON * of for _, n, of in found.values()):
        return ""
    told = "; ".join(
        f"{name} {' or '.join(most) or 'none'}, {n} of {of} ({percent(n / of)} %)"
        for name, (most, n, of) in found.items()
    )
    return (
        " If always the commonest gold of the items that a model answered were given, so many of its answers "
        f"would be right: {told}."
    )


def _commonest(golds: Counter[str | None]) -> tuple[list[str], int, int]:
    """The commonest golds in quotes, how many items have each of them, and how many items there are."""
    named = {answer: n for answer, n in golds.items() if answer is not None}
    n = max(named.values(), default=0)
    return sorted(f"“{answer}”" for answer, times in named.items() if times == n), n, golds.total()


def _near(instances: Iterable[Instance]) -> str:
    """What is known of texts that are nearly equal, in brackets."""
    instances = tuple(instances)
    if any(one.scoring != "medec" for one in instances):
        return " (nearly equal texts are not looked for)"
    wrong, fine = (
        {one.subject_id for one in instances if (one.answer == CORRECT) is right} for right in (False, True)
    )
    have = "has" if len(wrong & fine) == 1 else "have"
    return (
        " (MEDEC names no patients: the import gives one id to notes that share the second sentence, as "
        f"corrected, or, if that is short, the beginning; {how_many(len(wrong & fine), 'id')} {have} notes "
        "with an error and without, which may be one case, so that the gold of one tells the other's; near "
        "copies that do not share it would have other ids)"
    )


def questions_again(instances: Collection[Instance]) -> str:
    """Sentences on imported items that repeat another's text, question and options, that share its options
    and gold, or that may be shortened; empty if there are none, and for own questions.
    """
    instances = _bases(instances)
    counts = Counter((one.context, one.question, one.options) for one in instances)
    again = [n for n in counts.values() if n > 1]
    if not made_elsewhere(instances):
        return ""
    alike = _alike(instances)
    said = ""
    lists = shared_lists(instances)
    same = _same_of([one for one in instances if options_and_gold(one, lists) in alike])
    if again:
        said = (
            f" {sum(again)} items share text and question with another and are {len(again)} distinct "
            f"{'question' if len(again) == 1 else 'questions'}; each counts for itself."
        )
    if sum(alike.values()) > sum(again):
        said += (
            f" {sum(alike.values())} items have {same}, {how_many(len(alike), 'set')} of "
            "options among them, and may ask the same in other words; each counts for itself, also as a "
            "subject of its own if its id is, which intervals take for independent of the other."
        )
    cut = sum(any(mark in one.context + one.question for mark in ("...", "…")) for one in instances)
    if cut:
        said += (
            f" {cut} of {len(instances)} items hold “...” or “…” and may be shortened: annotators judged by "
            "what stands here, of which models may have had more."
        )
    return said


def _bases(instances: Iterable[Instance]) -> list[Instance]:
    """The items without their variants, which repeat them on purpose."""
    return [one for one in instances if one.variant is None]


def shared_lists(instances: Iterable[Instance]) -> frozenset[frozenset[str]]:
    """Sets of options that items have with different golds, such as yes and no: that two items have such a
    set in common does not mean that they ask the same.
    """
    golds: dict[frozenset[str], set[str | None]] = {}
    for one in instances:
        golds.setdefault(frozenset(one.options), set()).add(right_option(one) if one.options else None)
    return frozenset(options for options, of in golds.items() if len(of) > 1)


def options_and_gold(one: Instance, lists: Collection[frozenset[str]]) -> Hashable:
    """A key that is equal for items which may ask the same in other words: text, options, right option; and
    the question, where the options are one of the `shared_lists`.
    """
    options = frozenset(one.options)
    return one.context, options, right_option(one), one.question if options in lists else None


def _alike(instances: Collection[Instance]) -> Mapping[Hashable, int]:
    """Text, options and gold -> how many items have them, for those that several have."""
    lists = shared_lists(instances)
    found = Counter(options_and_gold(one, lists) for one in instances if one.options)
    return {key: n for key, n in found.items() if n > 1}


def not_variants(instances: Collection[Instance]) -> str:
    """Note, after a semicolon, on how many items may be rewordings of another and were not compared; empty if
    none are.
    """
    n = sum(_alike(_bases(instances)).values())
    return (
        f"; {n} items with the options and gold of another may be rewordings, and were not compared" * bool(n)
    )


def _same_of(instances: Collection[Instance]) -> str:
    """What these items have in common with another, in words: text, options and gold, or the last two."""
    if all(one.context for one in instances):
        return "text, options and gold of another"
    some = " of some of these" * any(one.context for one in instances)
    return f"the options and gold of another (no text stands beside the question{some})"


def which_items(instances: Collection[Instance]) -> str:
    """Which items count in accuracy, as part of a sentence; empty for imported items without variants, as
    these carry no flags.
    """
    if made_elsewhere(instances):
        return " on items as imported, variants left out" * any(one.variant for one in instances)
    return " on unflagged items, variants left out"


def made_elsewhere(instances: Collection[Instance]) -> bool:
    """Whether all items were imported, so that statements on our records and representations do not apply."""
    return bool(instances) and all(one.operation == "external" for one in instances)
