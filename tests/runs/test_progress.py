"""What is said while a run goes on: rate and time left, by cost; lines where there is no terminal."""

import threading
import time

import pytest

from clinicnum.inference.client_interface import Completion
from clinicnum.inference.run_time_estimate import duration, rate_of, shared_share
from clinicnum.prompt import messages_for
from clinicnum.scripts.commands.inference import progress
from clinicnum.scripts.commands.inference.progress import Reporter
from tests.clinicnum.answering import generation, instance
from tests.runs.conftest import questions

COSTS = {"i0": 300.0, "i1": 100.0, "i2": 100.0}


def reporting(already: int = 0, prefix: str = "") -> Reporter:
    cost = sum(COSTS.values())
    return Reporter(COSTS.__getitem__, left=len(COSTS), cost=cost, already=already, prefix=prefix)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1_000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def test_time_left_goes_by_cost_and_counts_from_this_start(clock: list[float]) -> None:
    reporter = reporting(already=40)
    assert reporter.pace() == ""
    clock[0] += 60
    reporter.add(generation("110", of=instance(0)))
    # 300 of 500 took 60 s, so 200 take 40 s; 1 generation in 60 s.
    assert reporter.pace() == "0.02 a second, 0:40 left"
    clock[0] += 15
    assert reporter.pace() == "0.02 a second, 0:25 left"
    clock[0] += 60
    assert reporter.pace() == "0.02 a second, 0:00 left"
    assert (reporter.written, reporter.seconds, reporter.cost) == (1, 60.0, 300.0)


def test_the_sums_say_what_could_not_be_run_and_what_to_do(clock: list[float]) -> None:
    reporter = reporting(prefix="rank 1 of 2: ")
    reporter.add(generation("110", of=instance(0)))
    reporter.add(generation("1", of=instance(1), finish="length"))
    failed = generation("", of=instance(2), finish="error").model_copy(update={"error": "prompt too long"})
    reporter.add(failed)
    cut = generation("", of=instance(1), finish="length").model_copy(update={"thinking": "and so on"})
    reporter.add(cut)
    reporter.postpone(Completion("i3", "", "error", None, None, None, error="HTTP 503", transient=True))
    assert reporter.sums() == [
        "rank 1 of 2: 4 generated: 1 ended, 2 cut off, 1 could not be run",
        "rank 1 of 2: 1 of those cut off were still thinking and gave no answer; "
        "give --max-new-tokens thousands, or --thinking off",
        "rank 1 of 2: the last that could not be run: prompt too long",
        "rank 1 of 2: 1 failed for now (last: HTTP 503); run the same command again to ask for them again",
    ]


def test_without_a_terminal_a_line_comes_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "LINE_EVERY_S", 0.01)
    with reporting(already=7) as reporter:
        threading.Event().wait(0.2)
        reporter.add(generation("110", of=instance(0)))
        threading.Event().wait(0.2)
    lines = capfd.readouterr().err.splitlines()
    assert lines[0] == ("7 of 10, none new after 0:00; the first can take minutes on a busy machine")
    assert lines[-1].startswith("8 of 10, ")
    assert lines[-1].endswith(" left")


def test_an_estimate_rests_on_the_latest_start_that_wrote_something() -> None:
    starts = [
        {"started_at": "2026-01-02T00:00:00+00:00", "seconds": 10.0, "cost": 500, "written": 5},
        {"started_at": "2026-01-01T00:00:00+00:00", "seconds": 10.0, "cost": 100, "written": 1},
        {"started_at": "2026-01-03T00:00:00+00:00"},
    ]
    rate = rate_of(starts)
    assert rate is not None
    assert (rate.cost_per_s, rate.written) == (50.0, 5)
    assert rate_of(starts[2:]) is None
    assert (duration(42.4), duration(725), duration(12_000)) == ("0:42", "12:05", "3:20:00")


def test_the_shared_share_is_what_prompts_of_one_context_begin_with() -> None:
    three = questions(3)
    texts = ["\n".join(message["content"] for message in messages_for(one)) for one in three]
    alike = texts[0].index("first heart rate")
    assert shared_share(three) == 2 * alike / sum(map(len, texts))
    assert shared_share(three[:1]) == 0
    assert shared_share([]) == 0
