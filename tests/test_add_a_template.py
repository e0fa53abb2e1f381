"""`docs/add-a-template.md`, word for word: its commands are run and its template works."""

import os
import re
import subprocess
from decimal import Decimal
from pathlib import Path

from clinicnum.io.benchmark import read_benchmark

ROOT = Path(__file__).parents[1]
DOC = ROOT / "docs" / "add-a-template.md"


def test_the_page_followed_word_for_word_adds_a_working_template(tmp_path: Path) -> None:
    text = DOC.read_text(encoding="utf-8")
    blocks = re.findall(r"^```(sh|yaml)\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    target = re.search(r"put this into `([^`]+)`", text)
    assert target is not None
    # The environment of the page's first command is the one that runs this test.
    assert blocks.pop(0) == ("sh", ". scripts/environment.sh && prepare_environment requirements.lock\n")
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    done = []
    for kind, block in blocks:
        if kind == "yaml":
            (tmp_path / target[1]).write_text(block, encoding="utf-8")
            continue
        for command in block.splitlines():
            ran = subprocess.run(
                ["bash", "-ec", command],
                cwd=tmp_path,
                capture_output=True,
                text=True,
                env=os.environ | {"PYTHONPATH": str(ROOT)},
            )
            assert ran.returncode == 0, (command, ran.stdout, ran.stderr)
            done.append((command, ran.stdout + ran.stderr))
    assert len(done) == 6
    said = [output for _, output in done]
    assert "1 template, 1 sound" in said[1]
    assert "systolic_for_pulse_pressure" in said[4]
    made = read_benchmark(tmp_path / "my-bench.jsonl")
    assert len(made) == 60
    for instance in made.values():
        row = next(r for r in instance.records if str(r.charttime) == instance.slots["time"])
        assert row.sbp_mmhg is not None
        assert row.dbp_mmhg is not None
        assert row.heart_rate_bpm is not None
        assert abs(Decimal(str(instance.answer)) * row.heart_rate_bpm - row.sbp_mmhg + row.dbp_mmhg) < (
            Decimal("0.005") * row.heart_rate_bpm
        )
