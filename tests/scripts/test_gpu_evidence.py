"""The script that measures a GPU: without one, and its parts that need none. The whole of it, on a CPU, is
`scripts/dev/evidence gpu --small`."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from clinicnum.scripts.dev.gpu_evidence.__main__ import WAITS, main
from clinicnum.scripts.dev.gpu_evidence.evidence_check import Check, is_one_line_error
from clinicnum.scripts.dev.gpu_evidence.evidence_report import Figures, about
from clinicnum.scripts.dev.gpu_evidence.random_weights import PENALTIES, make_model
from clinicnum.scripts.dev.gpu_evidence.token_rates import (
    ALONE,
    BATCHES,
    OWN,
    PLAIN,
    THROUGH,
    Measured,
    table,
)
from tests.clinicnum.tiny_models import new_tokenizer


@pytest.fixture(autouse=True)
def _no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


def test_without_a_gpu_one_line_says_that_it_waits_and_what_runs_here(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([]) == WAITS == 75
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "waits for one" in said.err
    assert "python -m clinicnum.scripts.dev.gpu_evidence --dry-run" in said.err


def test_what_cannot_begin_is_refused_before_anything_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["--dry-run", "--folder", str(tmp_path)]
    for more, told in (
        (["--only", "rates,speed"], "--only speed: no such step; expected some of table,rates,memory,kill"),
        (["--engine-path", str(tmp_path)], "no program llama-server there"),
        (["--prompts", "11"], "--prompts 11: expected at least 12"),
    ):
        assert main([*asked, *more]) == 2
        assert told in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_weights_follow_from_the_seed_and_no_text_of_them_ends_early(tmp_path: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM

    new_tokenizer().save_pretrained(tmp_path / "tokenizer")

    def made(name: str, seed: int) -> Path:
        return make_model(tmp_path / name, "tiny", seed, "cpu", tmp_path / "tokenizer")

    folders = [made("one", 5), made("again", 5), made("other", 6)]
    one, again, other = ((folder / "model.safetensors").read_bytes() for folder in folders)
    assert one == again != other
    assert made("one", 6) == folders[0]  # what is there is not made anew
    assert (folders[0] / "model.safetensors").read_bytes() == one
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]

    settings = json.loads((folders[0] / "generation_config.json").read_text())
    assert {key: settings[key] for key in PENALTIES} == PENALTIES
    model = AutoModelForCausalLM.from_pretrained(folders[0])
    assert model.dtype == torch.bfloat16
    with torch.inference_mode():
        logits = model(input_ids=torch.tensor([[7, 8, 9]])).logits[0].float()
    assert torch.all(logits[:, 256] == 0)
    assert torch.all(logits.max(dim=-1).values > 0)


def test_figures_hold_medians_the_share_and_what_was_wrong(tmp_path: Path) -> None:
    seconds = {PLAIN: 80.0, BATCHES: 20.0, OWN: 10.0}
    rounds = [
        {name: Measured(4, 100, one, {}) for name, one in (seconds | {ALONE: 4.0, THROUGH: through}).items()}
        for through in (5.0, 8.0, 4.0)
    ]
    lines, share = table(rounds)
    assert share == 0.8
    assert lines[-1] == "| engine through `clinicnum run` | 4 | 100 | 20.0 | 12.5 to 25.0 |"

    figures = Figures(about("cpu", "vllm 1.2.3"), table=lines)
    figures.add(Check("a run", True, "all there"))
    figures.write(tmp_path)
    assert figures.right
    figures.add(Check("another", False, "one is missing"))
    figures.write(tmp_path)
    assert not figures.right
    written = (tmp_path / "figures.md").read_text()
    assert "vllm 1.2.3" in written.splitlines()[0]
    assert "torch " in written
    assert "- right: a run: all there\n- WRONG: another: one is missing\n" in written
    assert json.loads((tmp_path / "figures.json").read_text())["checks"][1]["right"] is False


def test_an_error_is_one_line_without_a_traceback() -> None:
    line = "loading\nerror: model: out of memory while it was loaded; take another\n"
    assert is_one_line_error(2, line, "out of memory")
    assert not is_one_line_error(1, line, "out of memory")
    assert not is_one_line_error(2, line, "was killed")
    assert not is_one_line_error(2, f"Traceback (most recent call last):\n{line}", "out of memory")


def test_memory_is_taken_away_from_a_process_and_what_it_holds_stays() -> None:
    program = (
        "import torch\nfrom clinicnum.scripts.dev.gpu_evidence.limit_memory import limit\n"
        "held = torch.ones(1 << 20)\nlimit(64 << 20)\nmore = torch.ones(1 << 20)\n"
        "try:\n    torch.ones(1 << 26)\nexcept RuntimeError as error:\n"
        "    from clinicnum.inference.local.out_of_memory import is_out_of_memory\n"
        "    print(is_out_of_memory(error), float(held.sum() + more.sum()))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "2097152.0"]
