"""The consensus on each generation, one row per generation, as counted in reports."""

from clinicnum.annotations.consensus import Settlement
from clinicnum.annotations.exports.judgement_columns import meaning_of
from clinicnum.annotations.report.csv_without_formulas import CsvCell
from clinicnum.annotations.report.export_table import RowTable, fields
from clinicnum.annotations.report.sections.consensus_wording import APART, HALVES
from clinicnum.annotations.report.study_tables import annotator_kind
from clinicnum.annotations.report.study_view import StudyView

CONSENSUS_FIELDS = (
    *fields(
        "text",
        generation_id="The generation, which has judgements that count",
        protocol="unanimous, majority, three_expert or dawid_skene: the consensus of the next three columns; "
        "severity is by a rule of its own, which the report gives",
        item=f"{meaning_of('item_judgement', blank=False)}; blank without a consensus",
        response=f"{meaning_of('response_judgement')}; blank without a consensus",
        primary_class="Class of the first error; none if no failure was called, blank without a consensus",
        severity=f"{meaning_of('severity', blank=False)}; blank if it is not settled or no failure is",
        majority_item="item, by more than half of at least two judgements",
        majority_response="response, by more than half of at least two judgements",
        majority_primary_class="primary_class, by more than half of at least two judgements",
        majority_severity=f"severity, the median of those who called a failure{HALVES}; blank {APART}, "
        "and where no majority calls one",
        due="Why an adjudicator must decide; blank if nobody has to",
    ),
    *fields("boolean", decided="Whether an adjudicator's decision stands on it"),
    *fields("integer", judgements="How many judgements count"),
    *fields("text", annotator_kind="Of those who gave them: human, simulated, or human+simulated"),
)


def consensus_table(view: StudyView) -> RowTable:
    """The consensus by the study's protocol, with the majority vote for comparison."""
    majority = view.settled("majority")
    return RowTable(
        name="consensus",
        unit="one generation with a judgement that counts",
        fields=CONSENSUS_FIELDS,
        rows=tuple(
            (
                one.generation_id,
                view.protocol,
                *_labels(one),
                *_labels(other),
                "; ".join(one.due),
                one.generation_id in view.decisions,
                one.judgements,
                annotator_kind(view.chosen.by_generation[one.generation_id]),
            )
            for one, other in zip(view.settlements, majority, strict=True)
        ),
    )


def _labels(one: Settlement) -> tuple[CsvCell, ...]:
    failure = one.response.label == "failure"
    return one.item.label, one.response.label, one.primary.label, one.severity if failure else None
