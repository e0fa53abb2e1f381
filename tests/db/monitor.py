"""A patient on a monitor: one question on the shock index over 94 records in a note, some without a value."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal

from clinicnum.annotations.study_inputs import Material
from clinicnum.representations import render_records
from clinicnum.templates.evaluate_tree import Case, answer, evidence, table_of
from clinicnum.templates.packaged_banks import named_bank
from clinicnum.types import Instance, Record, Vital
from tests.db.examples import material

MONITOR = ("mia", "moe", "mel")
"""Annotators of the study."""
RECORDS = 94
START = datetime(2180, 5, 10, 6, 27)
TEMPLATE = "aggregation.shock_index_above_0_7"
COURSES: dict[Vital, Sequence[str]] = {
    "temperature_c": ("36.4", "36.8", "37.1", "38.3", "37.6"),
    "heart_rate_bpm": ("71", "78", "84", "97", "88", "69", "102"),
    "resp_rate_bpm": ("14", "16", "18", "22"),
    "spo2_pct": ("98", "97", "96", "93", "95"),
    "sbp_mmhg": ("131", "124", "118", "109", "127", "136", "112", "121"),
    "dbp_mmhg": ("83", "77", "72", "66"),
    "pain": ("0", "2", "4"),
}
TEXT = (
    "At 2180-05-10 07:12 the heart rate was 78 and the systolic pressure 124, so the shock index is 0.63. "
    "So there are 2000 of them."
)


def monitor_records() -> tuple[Record, ...]:
    """Every 45 minutes for three days; now and then a value is missing."""
    return tuple(
        Record(
            subject_id="monitor",
            stay_id="1",
            charttime=START + timedelta(minutes=45 * place),
            source="synthetic",
            **{  # type: ignore[arg-type]  # names of vital signs
                vital: None
                if vital in ("temperature_c", "pain") and place % 5 == 4
                else Decimal(course[place % len(course)])
                for vital, course in COURSES.items()
            },
        )
        for place in range(RECORDS)
    )


def monitor_instance() -> Instance:
    """The question with its true gold and evidence, and a model that is wrong."""
    template = next(one for one in named_bank("all") if one.id == TEMPLATE)
    records = monitor_records()
    case = Case(table_of(records), 0, {}, {})
    gold = answer(template.tree, case)
    base = material().instances[0]
    return base.model_copy(
        update={
            "instance_id": "monitor",
            "group_id": "monitor",
            "template_id": TEMPLATE,
            "template_version": template.version,
            "operation": template.operation,
            "subtype": template.subtype,
            "representation": "note",
            "records": records,
            "context": render_records(records, "note", "monitor"),
            "question": template.question(0, {}),
            "answer": gold.text,
            "answer_exact": gold.text,
            "answer_type": "count",
            "unit": None,
            "evidence": evidence(template.tree, case, gold),
            "subject_id": "monitor",
        }
    )


def monitor_material() -> Material:
    """One failure on it."""
    made = material(wrong=1, run_id="monitor-run")
    instance, run = monitor_instance(), made.runs[0]
    (generation,) = run.generations
    (score,) = made.scores
    return replace(
        made,
        instances=(instance,),
        runs=(
            replace(
                run,
                generations=(generation.model_copy(update={"instance_id": "monitor", "text": TEXT}),),
            ),
        ),
        scores=(score.model_copy(update={"reason": f"the gold is {instance.answer}"}),),
    )
