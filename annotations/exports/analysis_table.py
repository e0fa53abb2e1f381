"""One table for analysis: one row per generation, with the columns of the other tables already joined."""

from collections.abc import Iterator, Mapping

from clinicnum.annotations.consensus import Settlement, level1_primary
from clinicnum.annotations.custom_field_answers import declared_words, joint_answer
from clinicnum.annotations.custom_fields import CustomField
from clinicnum.annotations.exports.annotation_tables import ANNOTATORS
from clinicnum.annotations.exports.judgement_columns import custom_columns, meaning_of
from clinicnum.annotations.exports.score_and_generation_tables import GROUP_ID
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.report.csv_without_formulas import CsvCell
from clinicnum.annotations.report.export_table import Field, RowTable, fields
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.report.study_view import StudyView

ANALYSIS_FIELDS = (
    *fields(
        "text",
        generation_id="The generation that the row is about",
        model="The model, as its run names it; blank if it names none",
        run_id="Model, prompt, decoding and benchmark together",
        instance_id="The question it answers",
        group_id=GROUP_ID,
        subject_id="Patient, or case as imported, or the item itself; items under one are not independent",
        template_id="The question family",
        operation="retrieval, arithmetic, comparison, aggregation, or external: made elsewhere",
        representation="How the records are written: structured, templated, note, external",
        variant="family.kind of the controlled rewriting; blank for a base instance",
        flags="Why the instance does not discriminate, joined by |; headline accuracy leaves these out",
        question="What was asked; blank where the records are credentialed",
        gold="The right answer as asked; blank if unanswerable",
        parsed="The answer read out of the model's text; blank if none or no single one was found, "
        "or one that cannot be the answer (scores.csv: reason)",
        status="What the automatic score came to; follows lenient",
    ),
    *fields(
        "boolean",
        strict="Right in the asked form, unit and decimals; blank where none of our prompts asked for a form",
        lenient="Right by the rule of its kind of item, in an answer marked as one or all that is said",
        flexible="As lenient, also where only a wider automatic reading finds it; blank if scored before it",
        invalidated="Whether an upheld contest took the question out",
    ),
    *fields(
        "text",
        suggestion="Code that the automatic suggestion puts first; blank without a suggestion",
        consensus="Protocol of the next two columns: unanimous, majority, three_expert or dawid_skene; "
        "severity is by a rule of its own, which the report gives",
        consensus_response=f"{meaning_of('response_judgement')}; blank without one",
        consensus_primary="Class of the first error; none if no failure was called; blank without one",
        severity=f"{meaning_of('severity', blank=False)}; blank if it is not settled or no failure is",
        adjudicated_response="As an adjudicator decided; blank where no decision stands",
        adjudicated_primary="Class of the first error as decided; none if it was called no failure",
    ),
    *fields(
        "integer", judgements="How many judgements count; blank if no judgement of the generation counts"
    ),
    *fields("text", stratum="Stratum of the draw; blank if it was not drawn for annotation"),
    *fields("number", weight="Inverse of the chance of being drawn; blank if it was not drawn"),
    ANNOTATORS,
)


def analysis_table(view: StudyView) -> RowTable:
    """All generations of the study's runs, whether sampled for annotation or not, in file order."""
    return RowTable(
        name="analysis",
        unit="one generation of the study's runs, with question, score, labels and weight",
        fields=(*ANALYSIS_FIELDS, *_custom_columns(view)),
        rows=tuple(_rows(view)),
    )


def _rows(view: StudyView) -> Iterator[tuple[CsvCell, ...]]:
    settled = {one.generation_id: one for one in view.settlements}
    drawn = {one.generation_id: (one.stratum, 1 / one.probability) for one in view.tables.inclusions}
    suggested = _suggested(view.tables)
    for one in view.tables.generations:
        key = one.generation_id
        yield (
            *_asked(view, key),
            *_scored(view, key),
            suggested.get(key),
            *_consensus(view, settled.get(key)),
            *_adjudicated(view.decisions.get(key)),
            settled[key].judgements if key in settled else None,
            *drawn.get(key, (None, None)),
            view.annotator_kind,
            *_custom(view, key),
        )


def _custom_fields(view: StudyView) -> list[CustomField]:
    """The study's own fields without free texts, on which nobody agrees word by word."""
    return [one for one in view.tables.fields if one.type != "text"]


def _custom_columns(view: StudyView) -> Iterator[Field]:
    for column, field in zip(custom_columns(_custom_fields(view)), _custom_fields(view), strict=True):
        how = "the median of the answers" if field.type == "number" else "what more than half answered"
        said = f"{declared_words(field)}; {how}, of the judgements that count; blank if nothing"
        yield column.model_copy(update={"description": said})


def _custom(view: StudyView, key: str) -> Iterator[CsvCell]:
    judged = view.chosen.by_generation.get(key, ())
    for field in _custom_fields(view):
        yield joint_answer([one.custom[field.name] for one in judged if field.name in one.custom])


def _suggested(tables: StudyTables) -> Mapping[str, str]:
    """Generation -> code of its most likely suggestion."""
    worst_first = sorted(tables.suggestions, key=lambda one: -one.rank)
    return {one.generation_id: one.code for one in worst_first}


def _asked(view: StudyView, key: str) -> tuple[CsvCell, ...]:
    run_id, asked = view.generation(key).run_id, view.instance(key)
    return (
        key,
        view.model(run_id),
        run_id,
        asked.instance_id,
        asked.group_id,
        asked.subject_id,
        asked.template_id,
        asked.operation,
        asked.representation,
        asked.variant,
        "|".join(asked.flags),
        asked.question if view.data_use is None else None,
        asked.answer,
    )


def _scored(view: StudyView, key: str) -> tuple[CsvCell, ...]:
    score = view.score(key)
    gone = view.generation(key).instance_id in view.invalidated
    strict = score.strict if view.asks_form(key) else None
    return score.parsed, score.status, strict, score.lenient, score.flexible, gone


def _consensus(view: StudyView, one: Settlement | None) -> tuple[CsvCell, ...]:
    if one is None:
        return None, None, None, None
    severity = one.severity if one.response.label == "failure" else None
    return view.protocol, one.response.label, one.primary.label, severity


def _adjudicated(decision: Judgement | None) -> tuple[CsvCell, ...]:
    return (None, None) if decision is None else (decision.response_judgement, level1_primary(decision))
