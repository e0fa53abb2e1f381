"""Paragraphs for the methods section of a paper, from the data; not given if annotators are simulated."""

from collections.abc import Mapping, Sequence
from typing import Any

from clinicnum.annotations.guideline import guideline_version_words
from clinicnum.annotations.report.answer_parsing_notes import (
    UNREAD,
    only_readings,
    stored_answers,
    wider_reading,
)
from clinicnum.annotations.report.bank_release_of_benchmark import named_release
from clinicnum.annotations.report.model_run import ModelRun
from clinicnum.annotations.report.near_duplicate_items import telling_items
from clinicnum.annotations.report.question_summary import (
    ids_and_texts,
    made_elsewhere,
    rule_sentences,
    source_of,
    variants_drawn,
)
from clinicnum.annotations.report.report_content import Section
from clinicnum.annotations.report.sections.consensus_wording import DIFFER
from clinicnum.annotations.report.sections.grras_sample import not_drawn
from clinicnum.annotations.report.sections.methods_design import design_said, slice_said
from clinicnum.annotations.report.sections.methods_statistics import listed, statistics
from clinicnum.annotations.report.sections.share_cells import OPERATION_ORDER, REPRESENTATION_ORDER
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.prompt_file import PromptFile
from clinicnum.stats.jackknife import how_many
from clinicnum.types import Instance


def methods_section(view: StudyView) -> Section:
    """The paragraphs, or the reason why there are none."""
    return Section(id="methods", title="Methods paragraph", paragraphs=_paragraphs(view))


def _paragraphs(view: StudyView) -> tuple[str, ...]:
    if "simulated" in view.annotator_kind or view.scripted_adjudicators:
        whose = "annotator or adjudicator" if view.scripted_adjudicators else "annotator"
        return (
            f"Refused: at least one {whose} is simulated. A methods paragraph describes people who judged; "
            "run the study with people to get one.",
        )
    if not view.chosen.by_generation:
        return ("None yet: no judgement has been submitted.",)
    return _evaluation(view), _annotation(view), statistics(view)


def _evaluation(view: StudyView) -> str:
    told = f"(benchmark {_benchmark(view)}). {_texts(view)}{_judged(view)}"
    plain = [one for one in view.tables.instances if one.variant is None]
    variants = len(view.tables.instances) - len(plain)
    varied = f", and {variants} controlled variants of them" if variants else ""
    if made_elsewhere(view.tables.instances):
        source = source_of(view.tables.benchmark)
        return (
            f"{_models(view)} answered {_parts(view, plain)}{len(plain)} items, each one question, of "
            f"{source}, {ids_and_texts(plain)}{varied} {told}"
        )
    subjects = len({one.subject_id for one in view.tables.instances})
    operations = listed([one for one in OPERATION_ORDER if any(one == i.operation for i in plain)])
    written = listed([one for one in REPRESENTATION_ORDER if any(one == i.representation for i in plain)])
    sources = listed(sorted({record.source for one in view.tables.instances for record in one.records}))
    return (
        f"{_models(view)} answered "
        f"{_parts(view, plain)}{_asked(plain)} ({operations}) about the vital signs of "
        f"{how_many(subjects, 'subject')} ({sources or 'records made elsewhere'}), written as {written}"
        f"{varied} {told} Questions that do not discriminate, such as those whose gold a single record gives "
        "away, were left out of accuracy."
    )


def _parts(view: StudyView, plain: Sequence[Instance]) -> str:
    """On how many items each model has an answer, failed samples apart; empty if each has one on all."""
    known = {one.instance_id for one in plain}
    numbers = [
        len(known & {one.instance.instance_id for one in run.answers if one.score.status != "error"})
        for run in view.runs
    ]
    if all(n == len(plain) for n in numbers):
        return ""
    return f"{listed([str(n) for n in numbers])} of "


def _asked(plain: Sequence[Instance]) -> str:
    """How many questions, and how many items if a question is asked of several representations."""
    n = len({one.group_id for one in plain})
    return ("" if n == len(plain) else f"{len(plain)} items of ") + how_many(n, "question")


def _benchmark(view: StudyView) -> str:
    """The benchmark's id, bank release and seed, as far as known."""
    benchmark = view.tables.benchmark
    release = named_release(benchmark)
    return (
        str(benchmark.get("benchmark_id", "unnamed"))
        + (f", from the bank release {release.name}" if release else "")
        + (f", seed {benchmark['seed']}" if "seed" in benchmark else "")
    )


def _judged(view: StudyView) -> str:
    """The rule by which answers were scored."""
    unread = f"; {UNREAD.format(was='counted as')}"
    return (
        f"Answers were read from the texts automatically. {rule_sentences(view.tables.instances)}"
        f"{'' if only_readings(view.runs) else unread}.{wider_reading(view.runs)}"
    )


def _texts(view: StudyView) -> str:
    """Which answers were imported or asked for by a user's own prompt, how many samples failed, and whose
    answers are stored readings; empty without any.
    """
    told = [
        f"The answers of {run.name} were made elsewhere. "
        for run in view.runs
        if not run.asks_form and run.own_prompt is None
    ]
    told += [_own_prompt(run.name, run.own_prompt) for run in view.runs if run.own_prompt is not None]
    told += [
        f"{run.failed} of {len(run.answers)} generations of {run.name} "
        f"{'holds' if run.failed == 1 else 'hold'} an error in place of an answer and "
        f"{'was' if run.failed == 1 else 'were'} left out of our accuracy and of the draw. "
        for run in view.runs
        if run.failed
    ]
    return (
        "".join(told)
        + stored_answers(view.runs).lstrip()
        + " " * any(run.keeps_readings for run in view.runs)
    )


def _own_prompt(name: str, prompt: PromptFile) -> str:
    """A sentence on the user's own prompt by which a model was asked."""
    shown = f" with {how_many(len(prompt.examples), 'worked example')}" if prompt.examples else ""
    form = "" if prompt.asks_judged_form else ", which asks for a form of answer that is not judged"
    return f"{name} was asked by the prompt “{prompt.title}”{shown}{form}. "


def _models(view: StudyView) -> str:
    named = []
    for run_id, run in zip(
        dict.fromkeys(one.run_id for one in view.tables.generations), view.runs, strict=True
    ):
        meta = view.tables.runs.get(run_id, {})
        decoding = meta.get("decoding")
        decoding = decoding if isinstance(decoding, dict) else {}
        drawn = f" at temperature {decoding['temperature']}" if decoding.get("temperature") else ""
        facts = [
            meta.get("dtype"),
            f"{decoding.get('method') or ''}{drawn}".strip(),
            *_cut_off(run, decoding),
        ]
        said = ", ".join(str(fact) for fact in facts if fact)
        named.append(f"{run.name} ({said})" if said else run.name)
    return listed(named)


def _cut_off(run: ModelRun, decoding: Mapping[str, Any]) -> list[str]:
    """The limit of new tokens, and how many answers it cut off; empty if it is not known."""
    limit = decoding.get("max_new_tokens")
    n = sum(one.generation.finish_reason == "length" for one in run.answers)
    if limit is None:
        return []
    return [f"at most {limit} new tokens" + f", which cut off {how_many(n, 'answer')}" * bool(n)]


def _annotation(view: StudyView) -> str:
    tables, judgements = view.tables, view.chosen.annotations
    annotators = how_many(len({one.annotator_id for one in judgements}), "annotator")
    judged = how_many(len(view.chosen.by_generation), "generation")
    subjects = len({view.instance(key).subject_id for key in view.chosen.by_generation})
    elsewhere = made_elsewhere(tables.instances)
    whose = (
        f"under {how_many(subjects, 'subject id')}" if elsewhere else f"from {how_many(subjects, 'subject')}"
    )
    strata = "automatic score" if elsewhere else "operation, representation and automatic score"
    how = (
        ", which are all that could be drawn"
        if all(one.probability == 1 for one in tables.inclusions)
        else f" by strata of {strata}, with stored inclusion probabilities, spread over questions as far as "
        "these allow"
    )
    return (
        f"Of {len(tables.generations)} generations{not_drawn(tables, view.runs)}, {len(tables.inclusions)} "
        f"were drawn for annotation{how}{variants_drawn(tables)}. "
        f"{slice_said(view)}"
        f"{annotators}, who were not shown the model's name (the form of a text may tell models apart) nor "
        "each other's judgements, nor gold and score of an answer until their "
        f"first judgement of it was saved, gave {len(judgements)} judgements on {judged} {whose} "
        f"({tables.overlap} annotators were asked per generation{_fewer(view)})."
        f"{_gold_known(view)}{_left_out(view)} Each "
        "judged the response and, with gold and score in sight, the item (valid, gold wrong, or ambiguous), "
        "and gave each failure one "
        f"primary and any further codes of the taxonomy {tables.taxonomy_name}, version "
        f"{tables.taxonomy_version}, guideline {guideline_version_words(tables.guideline_version)}, with a "
        f"severity from 0 to 4{_or_none(view)}. {design_said(view)}{_consensus(view)}"
    )


def _gold_known(view: StudyView) -> str:
    """At how many judgements the gold was known from another answer or item; empty without any."""
    known, reworded = len(view.chosen.known), len(view.after_rewording)
    said = (
        f" At {known} of the first judgements the annotator had been shown the gold of the same question "
        "beside another answer."
    ) * bool(known)
    return said + (
        f" At {reworded}{' more' if known else ' of the first judgements'} they had been shown that of "
        f"{telling_items(view.tables.instances)}."
    ) * bool(reworded)


def _fewer(view: StudyView) -> str:
    """How many assignments were skipped, and on how many drawn generations fewer judgements count than were
    asked for, or none; empty without any.
    """
    lengths = [len(one) for one in view.chosen.by_generation.values()]
    n = sum(length < view.tables.overlap for length in lengths)
    unjudged = len(view.tables.inclusions) - len(lengths)
    skipped = view.tables.asides.skipped if view.tables.asides else 0
    parts = [f"{how_many(skipped, 'assignment')} {'was' if skipped == 1 else 'were'} skipped"] * bool(skipped)
    parts += [f"fewer count on {n} of the generations"] * bool(n) + [
        f"none on {unjudged} that were drawn"
    ] * (unjudged > 0)
    return "".join(f"; {part}" for part in parts)


def _or_none(view: StudyView) -> str:
    """The answer that a severity does not apply, if anybody gave it."""
    given = any(one.severity == "not_applicable" for one in view.chosen.annotations)
    return " or “not applicable”" * given


def _left_out(view: StudyView) -> str:
    """Excluded judgements by reason; empty if all count."""
    out = [f"{one.n} ({one.why})" for one in view.chosen.left_out]
    return f" Judgements that are not among these: {'; '.join(out)}." if out else ""


def _consensus(view: StudyView) -> str:
    """The consensus protocol behind the results, as a sentence."""
    if view.protocol == "three_expert":
        least = {2: "two", 3: "three"}[view.independent]
        adjudicators = len({one.adjudicator_id for one in view.tables.adjudications})
        return (
            f"Consensus was what at least {least} independent judgements all say and, where {DIFFER}, the "
            "decision of "
            f"{f'one of {adjudicators} adjudicators' if adjudicators > 1 else 'an adjudicator'}, who saw "
            f"the judgements without names or counts.{_undecided(view)}"
        )
    return {
        "majority": "Consensus was by majority of at least two.",
        "unanimous": "Consensus was by unanimity of at least two.",
        "dawid_skene": "Consensus was the most probable label by Dawid and Skene's model (1979).",
    }[view.protocol]


def _undecided(view: StudyView) -> str:
    """How many generations have no decision or too few judgements, and what follows; empty without any."""
    open_ones = [one for one in view.settlements if not (one.due and one.generation_id in view.decisions)]
    left = [one for one in open_ones if one.due or one.judgements < view.independent]
    if not left:
        return ""
    due = sum(bool(one.due) for one in left)
    least = {2: "two", 3: "three"}[view.independent]
    few = f"{len(left) - due} {'more' if due else 'generations'} had fewer than {least} judgements that count"
    parts = [f"{due} of the generations that need one had no decision"] * bool(due)
    parts += [few] * bool(len(left) - due)
    item, response, primary = (
        sum(label is None for label in labels)
        for labels in zip(
            *((one.item.label, one.response.label, one.primary.label) for one in left), strict=True
        )
    )
    return (
        f" {' and '.join(parts)}: of these there is no consensus on the item of {item}, the response of "
        f"{response}, and the primary class of {primary}."
    )
