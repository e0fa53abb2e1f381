"""A study in which every text that a file may hold is a formula: each takes the next of the list."""

from collections.abc import Callable
from itertools import count, cycle
from typing import Any

from clinicnum.annotations.report.study_tables import CodeName, StudyTables
from tests.annotations.formula_texts import FORMULAS
from tests.annotations.report_example_whole import whole_study


def formula_study() -> StudyTables:
    """The whole example; ids are formulas with a number behind, so that each stays its own."""
    plain, formulas, numbers = whole_study(), cycle(FORMULAS), count()
    names: dict[str, str] = {}

    def named(key: str) -> str:
        if key not in names:
            names[key] = f"{next(formulas)} {next(numbers)}"
        return names[key]

    def with_formulas(*fields: str, ids: tuple[str, ...] = ()) -> Callable[[Any], Any]:
        def changed(one: Any) -> Any:
            told: dict[str, Any] = {field: next(formulas) for field in fields}
            told |= {field: named(getattr(one, field)) for field in ids if getattr(one, field) is not None}
            return one.model_copy(update=told)

        return changed

    asked = with_formulas("unit", ids=("instance_id", "group_id", "template_id", "subject_id", "base_id"))
    judged = with_formulas(
        "rationale", "proposed_gold", ids=("annotation_id", "generation_id", "annotator_id")
    )
    settled = with_formulas("comment", ids=("adjudication_id", "generation_id", "adjudicator_id"))
    many: dict[str, Callable[[Any], Any]] = {
        "instances": asked,
        "generations": with_formulas("text", ids=("generation_id", "run_id", "instance_id")),
        "scores": with_formulas("parsed", "reason", "form", ids=("generation_id",)),
        "inclusions": with_formulas("stratum", ids=("generation_id",)),
        "annotations": judged,
        "adjudications": settled,
        "invalidations": with_formulas("rule", "reason", ids=("instance_id", "contest_id")),
        "contests": with_formulas(
            "comment", "proposed_gold", ids=("contest_id", "generation_id", "annotator_id")
        ),
    }
    told: dict[str, Any] = {
        name: tuple(change(one) for one in getattr(plain, name)) for name, change in many.items()
    }
    told["runs"] = {
        named(run): {**meta, "model": next(formulas), "dtype": next(formulas)}
        for run, meta in plain.runs.items()
    }
    told["taxonomy_codes"] = tuple(
        CodeName(code=one.code, name=next(formulas)) for one in plain.taxonomy_codes
    )
    for name in ("study_name", "guideline_version", "taxonomy_name", "taxonomy_version"):
        told[name] = next(formulas)
    return plain.model_copy(update=told)
