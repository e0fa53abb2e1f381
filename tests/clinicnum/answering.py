"""Instances and generations made by hand, for the tests of parsing, scoring, metrics and runs."""

import gc
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from clinicnum.types import Generation, Instance, Record, Score

START = datetime(2180, 5, 10, 6, 27)
RATES = (88, 110, 50)


def cpu_seconds(work: Callable[[], object]) -> float:
    """CPU time of a call, without the collector: the heap of a whole suite takes it a second."""
    gc.disable()
    try:
        started = time.process_time()
        work()
        return time.process_time() - started
    finally:
        gc.enable()


def records(subject: str = "s1") -> tuple[Record, ...]:
    """Three records, at 06:27:00, 09:12:30 and (the next day) 18:05:00."""
    times = (START, datetime(2180, 5, 10, 9, 12, 30), datetime(2180, 5, 11, 18, 5))
    return tuple(
        Record(
            subject_id=subject,
            stay_id=f"{subject}-1",
            charttime=time,
            heart_rate_bpm=Decimal(rate),
            sbp_mmhg=Decimal(120),
            dbp_mmhg=Decimal(80),
            source="synthetic",
        )
        for time, rate in zip(times, RATES, strict=True)
    )


def instance(number: int = 0, **changes: Any) -> Instance:
    """A retrieval question whose answer is 110 bpm; `changes` replace any field."""
    table = "\n".join(f"{r.charttime}: heart rate {r.heart_rate_bpm} bpm, BP 120/80 mmHg" for r in records())
    fields: dict[str, Any] = {
        "instance_id": f"i{number}",
        "group_id": f"g{number}",
        "benchmark_id": "b1",
        "template_id": "heart_rate_at",
        "template_version": 1,
        "operation": "retrieval",
        "subtype": "value",
        "steps": 0,
        "representation": "structured",
        "context": table,
        "question": "What was the heart rate (bpm) at 2180-05-10 09:12:30? Give a whole number.",
        "answer": "110",
        "answer_exact": "110",
        "answer_type": "number",
        "decimals": 0,
        "unit": "bpm",
        "evidence": ({"record": 1, "vital": "heart_rate_bpm"},),
        "subject_id": f"s{number % 6}",
        "records": records(),
    }
    return Instance.model_validate(fields | changes)


def generation(text: str, *, of: Instance | None = None, finish: str = "stop", run: str = "r1") -> Generation:
    """A generation for an instance."""
    name = (of or instance()).instance_id
    return Generation.model_validate(
        {
            "generation_id": f"{run}-{name}",
            "run_id": run,
            "instance_id": name,
            "text": text,
            "finish_reason": finish,
        }
    )


def scored(of: Instance, *, right: bool, parsed: str | None = "1") -> tuple[Generation, Score]:
    """A generation for an instance, and a score that says what it is told to say."""
    made = generation("x", of=of)
    status = "correct" if right else "unparsable" if parsed is None else "incorrect"
    fields: dict[str, Any] = {"status": status, "strict": right, "lenient": right, "reason": "", "form": None}
    return made, Score(generation_id=made.generation_id, parsed=parsed, **fields)


def minutes_later(minutes: int) -> datetime:
    """A time after the first record."""
    return START + timedelta(minutes=minutes)
