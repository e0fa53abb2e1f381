"""CSVs of ClinicNumRobBench's form, made by its published recipe, faults included.

The recipe is told here in our own words after reading its scripts (MinhVuong2000/ClinicNumRobBench,
data_creation): rows with an empty cell are dropped, every temperature is taken for °F, a patient's stays are
pooled and written in time order, while the answers are computed in the file's order, which is by stay. The
first of the sorted rows answers a superlative, ties or not; MAP and shock index are rounded to one decimal
before they are compared; "first" and "last" are the file's. Its sampling is left out: all patients are asked.
"""

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from clinicnum.records.synthetic import synthetic
from tests.open_data import MIMIC_PATIENTS, MIMIC_VITALSIGN

VITALS = ("temperature", "heartrate", "resprate", "o2sat", "sbp", "dbp")
SPOKEN = {
    "temperature": "temperature",
    "heartrate": "heart rate",
    "resprate": "respiratory rate",
    "o2sat": "O2 saturation",
    "sbp": "systolic blood pressure",
    "dbp": "diastolic blood pressure",
}
ABOVE = {"sbp": 120, "dbp": 80, "heartrate": 100, "resprate": 20, "temperature": 37.5}
BELOW = {"sbp": 90, "dbp": 60, "heartrate": 60, "resprate": 12, "temperature": 36.5, "o2sat": 95}


@dataclass(frozen=True)
class Row:
    """One row of the CSV, and what a brute-force solver needs to know of it."""

    question: str
    answer: object
    dataset_source: str
    key: tuple
    """What is asked: kind, then vital, time or threshold."""
    patient: int
    """Index of the patient's records in the list of all patients."""


def demo() -> pd.DataFrame:
    """The open demo's rows with all six vitals in the file's order, ages and genders joined.

    The recipe also drops rows without pain, which nothing asks; kept here, as the demo is small.
    """
    table = pd.read_csv(MIMIC_VITALSIGN, dtype={"pain": str}).drop(columns="rhythm")
    table = table.dropna(subset=list(VITALS))
    table["pain"] = table["pain"].fillna("nan")
    patients = pd.read_csv(MIMIC_PATIENTS)[["subject_id", "gender", "anchor_age", "anchor_year"]]
    table = table.merge(patients, on="subject_id", how="inner")
    table["charttime"] = pd.to_datetime(table["charttime"])
    table["age"] = table["anchor_age"] + table["charttime"].dt.year - table["anchor_year"]
    table["temperature"] = ((table["temperature"] - 32) * 5 / 9).round(1)
    return _finished(table)


def made_up(seed: int, stays: int) -> pd.DataFrame:
    """Synthetic complete records in the same columns; several stays a patient, not in time order."""
    records = [r for r in synthetic(seed=seed, stays=stays).records if None not in _cells(r)]
    random.Random(f"{seed}:order").shuffle(records)
    records.sort(key=lambda r: (r.subject_id, r.stay_id))
    table = pd.DataFrame(
        [(r.subject_id, r.charttime, r.gender, r.age_years, r.pain or 0, *_cells(r)) for r in records],
        columns=["subject_id", "charttime", "gender", "age", "pain", *VITALS],
    )
    table["temperature"] = table["temperature"].astype(float)
    return _finished(table)


def _cells(record) -> tuple:
    return (
        record.temperature_c,
        record.heart_rate_bpm,
        record.resp_rate_bpm,
        record.spo2_pct,
        record.sbp_mmhg,
        record.dbp_mmhg,
    )


def _finished(table: pd.DataFrame) -> pd.DataFrame:
    for vital in VITALS[1:]:
        table[vital] = table[vital].astype(int)
    table["gender"] = table["gender"].map({"M": "male", "F": "female"})
    table["vitals_count"] = table["subject_id"].map(table["subject_id"].value_counts())
    return table


def structured(patient: pd.DataFrame) -> str:
    """Blocks in braces; the script's odd indentation included."""
    blocks = []
    for r in patient.sort_values("charttime").itertuples():
        cells = {
            "chart_time": r.charttime,
            "age": r.age,
            "gender": r.gender,
            "pain": r.pain,
            "temperature": r.temperature,
            "heart_rate": r.heartrate,
            "resp_rate": r.resprate,
            "o2_sat": r.o2sat,
            "bp": f"{r.sbp}/{r.dbp}",
        }
        body = ",\n".join(f"        {key}: {value}" for key, value in cells.items())
        blocks.append(f"{{\n{body}\n    }}")
    return ",\n".join(blocks)


def templated(patient: pd.DataFrame) -> str:
    """One sentence pair a record; from the second on the patient is he or she."""
    lines = []
    for number, r in enumerate(patient.sort_values("charttime").itertuples()):
        who = f"the {r.age}-year-old {r.gender}" if number == 0 else {"male": "he", "female": "she"}[r.gender]
        lines.append(
            f"At {r.charttime}, {who} reports pain level is {r.pain}. {_their(r)} vital sign at the time is "
            f"temperature {r.temperature}°C, heart rate {r.heartrate} bpm, respiratory rate {r.resprate} "
            f"bpm, O2 saturation {r.o2sat}%, blood pressure {r.sbp}/{r.dbp} mmHg."
        )
    return "\n".join(lines)


ABLATIONS = (
    "{who}T {t}°C, hh {hr} bpm, rr {rr} bpm, o2sat {o2}%, bp {bp} mmHg.",
    "{who}Temp {t}, HH {hr}, RR {rr} bpm, SpO2 {o2}, BP {bp}.",
    "{who}temperature, {t}°C; heart rate, {hr} bpm; respiratory rate, {rr} bpm; O2 saturation, {o2}%; "
    "blood pressure, {bp} mmHg.",
    "{who}blood pressure-{bp} mmHg, heart rate-{hr} bpm, O2 saturation-{o2}%, temperature-{t}°C, "
    "respiratory rate-{rr} bpm.",
    "{who}a temperature of {t}, a heart rate of {hr}, a respiratory rate of {rr}, and a oxygen saturation of "
    "{o2}%, anda blood pressure of {bp}.",
)


def ablation(patient: pd.DataFrame) -> str:
    """Names, units, separators and order varied from record to record; all on one line."""
    return " ".join(
        ABLATIONS[number % len(ABLATIONS)].format(
            who=f"At {r.charttime}, the {r.age}-year-old man reports pain level is {r.pain}. his vital "
            "sign at the time is ",
            t=r.temperature,
            hr=r.heartrate,
            rr=r.resprate,
            o2=r.o2sat,
            bp=f"{r.sbp}/{r.dbp}",
        )
        for number, r in enumerate(patient.sort_values("charttime").itertuples())
    )


def padded(patient: pd.DataFrame) -> str:
    """`templated` with its first sentence repeated behind it."""
    text = templated(patient)
    return text + (text.split(".")[0] + ". ") * 38


def _their(row) -> str:
    return "His" if row.gender == "male" else "Her"


Asked = tuple[str, object, str, tuple]
ONE = "round to 1 decimal places"


def patients(table: pd.DataFrame) -> list[pd.DataFrame]:
    """Each patient's records in the file's order, with what the recipe rounds before it compares."""
    table = table.assign(
        map=((table["sbp"] - table["dbp"]) / 3 + table["dbp"]).round(1),
        shock_index=(table["heartrate"] / table["sbp"]).round(1),
    )
    return [group.reset_index(drop=True) for _, group in table.groupby("subject_id", sort=True)]


def bench(of: list[pd.DataFrame], context: Callable[[pd.DataFrame], str]) -> list[Row]:
    """All questions of all patients."""
    rows: list[Row] = []
    for index, patient in enumerate(of):
        text = context(patient)
        for question, answer, source, key in _asked(patient):
            rows.append(Row(f"{text}\n\n{question}", answer, source, key, index))
    return rows


def _asked(patient: pd.DataFrame) -> Iterator[Asked]:
    for number, r in enumerate(patient.itertuples()):
        for vital, name in SPOKEN.items():
            question = f"What was the {name} of the patient at {r.charttime}?"
            yield question, getattr(r, vital), "direct_retrieval", ("value", vital, r.charttime)
        if number >= len(patient) // 3:
            yield from _arithmetic(r)
    if len(patient) > 3:
        yield from _of_several(patient)
        yield from _crossings(patient)
    if len(patient) > 6:
        for vital in VITALS:
            for which in ("highest", "lowest"):
                first = patient.sort_values(by=vital, ascending=which == "lowest")["charttime"].iloc[0]
                question = f"What is the record datetime when {vital} is {which}?"
                yield question, first, f"comparison_superlative_{which}", (which, vital)


def _arithmetic(r) -> Iterator[Asked]:
    at, pressure, rate = r.charttime, r.sbp - r.dbp, r.heartrate
    forms = (
        (
            "bp_sum",
            f"Calculate the sum of systolic and diastolic blood pressure at {at}?",
            r.sbp + r.dbp,
            "1step_addition",
        ),
        ("pulse_pressure", f"Calculate the pulse pressure at {at}?", pressure, "1step_subtraction"),
        (
            "x1_8",
            f"What is the value when multiplying the temperature at {at} by 1.8, {ONE}?",
            round(r.temperature * 1.8, 1),
            "1step_multiplication",
        ),
        (
            "shock_index",
            f"Calculate the Shock Index at {at}, {ONE}.",
            round(rate / r.sbp, 1),
            "1step_division",
        ),
        (
            "third",
            f"Calculate a third of the pulse pressure at {at}, {ONE}.",
            round(pressure / 3, 1),
            "2step_subtraction_division",
        ),
        (
            "fahrenheit",
            f"Convert temperature at {at} from Celsius to Fahrenheit, {ONE}.",
            round(r.temperature * 1.8 + 32, 1),
            "2step_addition_multiplication",
        ),
        (
            "over_70",
            f"Calculate the percentage that heart rate at {at} exceeds baseline (70 bpm), {ONE}.",
            round((rate - 70) / 70 * 100, 1),
            "2step_subtraction_multiplication",
        ),
        (
            "map",
            f"Calculate the Mean Arterial Pressure at {at}, {ONE}.",
            round(pressure / 3 + r.dbp, 1),
            "3step_map",
        ),
    )
    for kind, question, answer, source in forms:
        yield question, answer, f"calc_{source}", (kind, at)


def _of_several(patient: pd.DataFrame) -> Iterator[Asked]:
    for case, values in (("first", patient["resprate"][:2]), ("last", patient["resprate"][-2:])):
        question = f"Calculate the average of respiratory rate at the {case} 2 records, {ONE}."
        yield question, round(values.mean(), 1), "calc_2step_addition_division", ("mean", case)
    one, other = patient.iloc[len(patient) // 3], patient.iloc[len(patient) // 3 + 1]
    yield (
        f"Calculate the percentage change in heart rate from {one.charttime}  to {other.charttime}, "
        "round to 2 decimal places.",
        round((other.heartrate - one.heartrate) / one.heartrate * 100, 2),
        "calc_3step_deviation_percentage",
        ("change", one.charttime, other.charttime),
    )
    for kind, issue, over in (
        ("tachycardia", "Tachycardia", patient["heartrate"] > 100),
        ("map_above", "Mean Arterial Pressure higher than 100 mmHg", patient["map"] > 100),
        ("shock_above", "Shock Index higher than 0.7", patient["shock_index"] > 0.7),
    ):
        source = f"summary_count_by_{issue.lower().replace(' ', '.')}"
        question = f"How many time the patient has {issue}? Return the number of records."
        yield question, over.sum(), source, (kind,)


def _crossings(patient: pd.DataFrame) -> Iterator[Asked]:
    for words, limits, source in (
        (("exceeded", "higher than"), ABOVE, "exceeded"),
        (("less than", "drop below"), BELOW, "drop_below"),
    ):
        for number, (vital, limit) in enumerate(limits.items()):
            crossed = patient[patient[vital] > limit] if limits is ABOVE else patient[patient[vital] < limit]
            if len(crossed):
                question = f"What is the record datetime when {vital} first {words[number % 2]} {limit}?"
                first = crossed["charttime"].iloc[0]
                yield question, first, f"comparison_comparative_{source}", (source, vital, limit)


def write(path: Path, rows: Iterable[Row]) -> Path:
    """The CSV as pandas writes it."""
    frame = pd.DataFrame([(r.question, r.answer, r.dataset_source) for r in rows])
    frame.columns = pd.Index(["question", "answer", "dataset_source"])
    frame.to_csv(path, index=False)
    return path
