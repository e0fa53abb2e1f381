"""The table of ticks: each annotator's verdict on each criterion of each answer."""

from collections.abc import Iterator

from clinicnum.annotations.criteria.criterion import Criterion, criterion_of_key
from clinicnum.annotations.exports.annotation_tables import KIND, decided_on
from clinicnum.annotations.report.csv_without_formulas import CsvCell
from clinicnum.annotations.report.export_table import RowTable, fields
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.types import Annotation

CRITERIA_FIELDS = (
    *fields(
        "text",
        study_id="Id of the study",
        generation_id="The generation that was judged",
        instance_id="The item that it answers",
        annotator_id="Pseudonym of the annotator, valid in this study only",
    ),
    KIND,
    *fields(
        "text",
        round="main, training, control or repeat",
        criterion_id="Id of the criterion, unique among those of its item",
        item="The item that the criterion belongs to; blank: of every item",
    ),
    *fields("integer", version="Version of the criterion's text that was ticked"),
    *fields("boolean", in_force="Whether that is the version in force; otherwise the label predates it"),
    *fields(
        "text",
        verdict="met, not_met or not_applicable, in the annotator's last revision of the round",
        first_verdict="The same in the first revision, which people save before the gold of this answer is "
        "shown (criteria may say what the gold says); blank if the criterion was "
        "ticked later, or in another version",
    ),
    *fields(
        "text",
        adjudicated="The verdict of an adjudicator's decision that stands, where annotators differ; blank "
        "where none was made, and outside the main round",
    ),
    *fields("boolean", suggestion_shown="Whether the scorer's ticks or causes were in sight at the last one"),
    *fields("text", text="The criterion in that version; blank on credentialed records"),
    *fields("number", weight="Points of an answer that meets it; below 0 for a fault"),
    *fields("boolean", must_have="Whether an answer that does not meet it fails"),
    *fields("text", source="Where the criterion comes from"),
)


def criteria_table(view: StudyView) -> RowTable:
    """One row per annotator, answer, round and criterion."""
    return RowTable(
        name="criteria",
        unit="one annotator's verdict on one criterion of one generation",
        fields=CRITERIA_FIELDS,
        rows=tuple(_rows(view)),
    )


def _rows(view: StudyView) -> Iterator[tuple[CsvCell, ...]]:
    known = {(one.item, one.id, one.version): one for one in view.tables.criteria}
    newest: dict[tuple[str, str], int] = {}
    for item, name, version in known:
        newest[item, name] = max(version, newest.get((item, name), 0))
    for first, last in _judgements(view.tables.annotations):
        instance_id = view.generation(last.generation_id).instance_id
        for key, verdict in last.criteria.items():
            name, version = criterion_of_key(key)
            one = known.get((instance_id, name, version)) or known["", name, version]
            yield (
                *(last.study_id, last.generation_id, instance_id, last.annotator_id, last.annotator_kind),
                *(last.round, one.id, one.item, version, version == newest[one.item, one.id]),
                *(verdict, first.criteria.get(key), decided_on(view, last, "criteria").get(key)),
                last.suggestion_shown,
                *_about(one, view.data_use is None),
            )


def _about(one: Criterion, with_text: bool) -> tuple[CsvCell, ...]:
    return one.text if with_text else None, one.weight, one.must_have, one.source


def _judgements(annotations: tuple[Annotation, ...]) -> Iterator[tuple[Annotation, Annotation]]:
    """The first and the last revision of each judgement, in the order of the tables."""
    found: dict[tuple[str, str, str], list[Annotation]] = {}
    for one in annotations:
        found.setdefault((one.generation_id, one.annotator_id, one.round), []).append(one)
    for revisions in found.values():
        revisions.sort(key=lambda one: one.revision)
        yield revisions[0], revisions[-1]
