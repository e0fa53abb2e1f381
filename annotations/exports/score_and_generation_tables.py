"""Tables of scores, generations and instances."""

from collections.abc import Iterator

from clinicnum.annotations.exports.annotation_tables import ANNOTATORS
from clinicnum.annotations.report.bank_release_of_benchmark import named_release
from clinicnum.annotations.report.csv_without_formulas import CsvCell
from clinicnum.annotations.report.export_table import Field, RowTable, fields
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.types import Instance, Score

GROUP_ID = (
    "Shared by instances with the same records and question; imported items have what their file says, or "
    "one each"
)
"""What the column `group_id` holds."""
SCORE_FIELDS = (
    *fields(
        "text",
        model="The model, as its run names it; blank if it names none",
        run_id="Model, prompt, decoding and benchmark together",
        generation_id="The generation that was scored",
        instance_id="The question it answers",
        group_id=GROUP_ID,
        subject_id="Patient, or case as imported, or the item itself; items under one are not independent",
        template_id="The question family",
        operation="retrieval, arithmetic, comparison, aggregation, or external: made elsewhere",
        representation="How the records are written: structured, templated, note, external",
        variant="family.kind of the controlled rewriting; blank for a base instance",
        flags="Why the instance does not discriminate, joined by |; headline accuracy leaves these out",
        gold="The right answer as asked; blank if unanswerable",
        parsed="The answer read out of the text; blank if none or no single one was found, or one "
        "that cannot be the answer (reason)",
        form="How it was written: json, boxed, lone_number, ...",
        status="correct, incorrect, unparsable, abstained, empty, truncated or error; follows lenient",
    ),
    *fields(
        "boolean",
        strict="Right in the asked form, unit and decimals; blank where none of our prompts asked for a form",
        lenient="Right by the rule of its kind of item, in an answer marked as one or all that is said",
        flexible="As lenient, also where only a wider automatic reading finds it; blank if scored before it",
    ),
    *fields(
        "text",
        reason="Why the scorer judged so",
        stratum="Stratum of the draw; blank if the generation was not drawn for annotation, and for the "
        "second answer of a pair",
    ),
    *fields(
        "number",
        inclusion_probability="Chance of being drawn, above 0 to 1, blank where stratum is; its inverse is "
        "the weight",
    ),
    *fields("integer", template_version="Version of the question family"),
    *fields("text", bank_release="The bank release that the benchmark names; blank if it names none"),
    ANNOTATORS,
)
GENERATION_FIELDS = (
    *fields(
        "text",
        generation_id="Id",
        model="The model, as its run names it; blank if it names none",
        run_id="Model, prompt, decoding and benchmark together",
        instance_id="The question it answers",
        text="What the model wrote",
        finish_reason="stop, length or error; stop too where the source of imported texts says nothing",
    ),
    *fields("integer", prompt_tokens="Tokens of the prompt", completion_tokens="Tokens of the model's text"),
    *fields(
        "number",
        answer_confidence="Probability of the tokens that spell the answer, 0 to 1",
        text_confidence="Probability of the whole text, 0 to 1",
        latency_s="Seconds",
    ),
    *fields(
        "text",
        thinking="What a reasoning model wrote before its answer; never scored",
        error="Why there is no text",
    ),
)
_INSTANCE_TEXTS: dict[str, str] = {
    "instance_id": "Id",
    "group_id": GROUP_ID,
    "benchmark_id": "Id of the benchmark",
    "template_id": "The question family",
    "operation": "retrieval, arithmetic, comparison, aggregation, or external: made elsewhere",
    "representation": "How the records are written: structured, templated, note, external",
    "variant": "family.kind of the controlled rewriting; blank for a base instance",
    "context": "The records as the model read them",
    "question": "What was asked",
    "answer": "The right answer as asked; blank if unanswerable",
    "answer_exact": "The unrounded answer; a fraction where no decimal ends",
    "answer_type": "number, count, datetime, choice, text, points or unanswerable",
    "unit": "Unit of the answer",
    "subject_id": "Patient, or case as imported, or the item itself; items under one are not independent",
}
INSTANCE_FIELDS = (
    *fields("text", **_INSTANCE_TEXTS),
    *fields("integer", template_version="Version of the question family", steps="Steps of arithmetic"),
    *fields("text", whole="The instance as one line of JSON, with records, evidence and distractors"),
)


def scores_table(tables: StudyTables) -> RowTable:
    """Every generation of the study's runs with its score, from which the report's accuracy can be counted.

    `stratum` and `inclusion_probability` are blank for generations that were not drawn for annotation.
    """
    return RowTable(
        name="scores",
        unit="one generation of the study's runs, drawn for annotation or not",
        fields=SCORE_FIELDS,
        rows=tuple(_score_rows(tables)),
    )


def generations_table(tables: StudyTables) -> RowTable:
    """All generations with their texts."""
    names = [field.name for field in GENERATION_FIELDS if field.name not in ("generation_id", "model")]
    view = StudyView(tables)
    return RowTable(
        name="generations",
        unit="one text that a model gave",
        fields=GENERATION_FIELDS,
        rows=tuple(
            (one.generation_id, view.model(one.run_id), *(getattr(one, name) for name in names))
            for one in tables.generations
        ),
    )


def instances_table(tables: StudyTables) -> RowTable:
    """All questions that were answered, with their records and gold answers."""
    return RowTable(
        name="instances",
        unit="one question over one context, with its gold answer",
        fields=INSTANCE_FIELDS,
        rows=tuple(_instance_row(one, INSTANCE_FIELDS[:-1]) for one in tables.instances),
    )


def _instance_row(one: Instance, flat: tuple[Field, ...]) -> tuple[CsvCell, ...]:
    return (*(getattr(one, field.name) for field in flat), one.model_dump_json())


def _score_rows(tables: StudyTables) -> Iterator[tuple[CsvCell, ...]]:
    view = StudyView(tables)
    drawn = {one.generation_id: one for one in tables.inclusions}
    kind = view.annotator_kind
    release = named_release(tables.benchmark)
    for generation in tables.generations:
        key = generation.generation_id
        inclusion = drawn.get(key)
        draw = (inclusion.stratum, inclusion.probability) if inclusion else (None, None)
        asked = view.instance(key)
        made_from = (asked.template_version, release.name if release else None)
        run_id = generation.run_id
        yield (
            view.model(run_id),
            run_id,
            *_score_row(key, asked, view.score(key), formed=view.asks_form(key)),
            *draw,
            *made_from,
            kind,
        )


def _score_row(generation_id: str, instance: Instance, score: Score, *, formed: bool) -> tuple[CsvCell, ...]:
    return (
        generation_id,
        instance.instance_id,
        instance.group_id,
        instance.subject_id,
        instance.template_id,
        instance.operation,
        instance.representation,
        instance.variant,
        "|".join(instance.flags),
        instance.answer,
        score.parsed,
        score.form,
        score.status,
        score.strict if formed else None,
        score.lenient,
        score.flexible,
        score.reason,
    )
