"""Write a record as JSON faster than its model does: a benchmark shows each record many times."""

from decimal import Decimal

from clinicnum.io.jsonl import quoted
from clinicnum.records.vitals import time_text
from clinicnum.types import Record


def record_json(record: Record) -> str:
    """Equal to `record.model_dump_json()`."""
    r = record
    return (
        f'{{"subject_id":{quoted(r.subject_id)},"stay_id":{quoted(r.stay_id)},'
        f'"charttime":"{time_text(r)}","temperature_c":{_number(r.temperature_c)},'
        f'"heart_rate_bpm":{_number(r.heart_rate_bpm)},"resp_rate_bpm":{_number(r.resp_rate_bpm)},'
        f'"spo2_pct":{_number(r.spo2_pct)},"sbp_mmhg":{_number(r.sbp_mmhg)},'
        f'"dbp_mmhg":{_number(r.dbp_mmhg)},"pain":{_number(r.pain)},'
        f'"age_years":{"null" if r.age_years is None else r.age_years},'
        f'"gender":{"null" if r.gender is None else quoted(r.gender)},"source":{quoted(r.source)}}}'
    )


def _number(value: Decimal | None) -> str:
    if value is None:
        return "null"
    text = str(value)
    if text.isdecimal():
        return text
    number = float(value)
    return str(int(number) if number.is_integer() else number)
