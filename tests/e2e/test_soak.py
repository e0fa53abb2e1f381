"""Processes are killed under load, again and again: what was acknowledged is there once, and all is whole."""

import os
from pathlib import Path

import pytest

from clinicnum.scripts.dev.load_test.soak_summary import summary
from clinicnum.scripts.dev.load_test.soak_test import Plan, soak
from tests.processes import ForkedServer


def _asked(name: str, default: str) -> str:
    return os.environ.get(f"CLINICNUM_SOAK_{name}", default)


DATABASE = _asked("DATABASE", "sqlite")
PLAN = Plan(
    database="postgresql" if DATABASE == "postgresql" else "sqlite",
    annotators=int(_asked("PEOPLE", "12")),
    actions=int(_asked("ACTIONS", "750")),
    seconds=float(_asked("SECONDS", "9")),
    every_s=float(_asked("EVERY", "3.5")),
    least_kills=2,
)


@pytest.mark.timeout(7200)
def test_every_acknowledged_label_outlives_killed_processes_and_stands_once(tmp_path: Path) -> None:
    outcome = soak(PLAN, tmp_path, serve=ForkedServer.clinicnum_serve)
    print(summary(outcome))
    assert len(outcome.kills) >= PLAN.least_kills
    assert any(one.sent > 1 for one in outcome.asked), "nothing was killed under load"
    assert not outcome.errors, outcome.errors[:3]
    assert len(outcome.checks) == len(outcome.kills) + 1, "not every restart was followed by a check"
    assert not [one.faults for one in outcome.checks if one.faults]
    # Whoever heard no answer asked again until one came: nothing is there that nobody heard of.
    assert outcome.checks[-1].labels == outcome.acknowledged > 0
