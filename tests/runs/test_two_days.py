"""A run of today and the same run on another day: the same prompts byte for byte, and the same texts."""

import datetime as clock
from pathlib import Path

import pytest
from transformers.utils import chat_template_utils

from clinicnum.inference.local import client, load_tokenizer
from clinicnum.io.jsonl import read_meta
from clinicnum.scripts.cli import run_command
from tests.runs.conftest import SETTINGS, texts

TODAY = """{%- if strftime_now is defined %}Today: {{ strftime_now("%d %B %Y") }}{% endif %}
{%- for one in messages %}<|im_start|>{{ one.role }}\n{{ one.content }}<|im_end|>\n{% endfor %}
{%- if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"""


def _moved(monkeypatch: pytest.MonkeyPatch, days: int) -> None:
    """Move the clock that templates read: to transformers, it is so many days later."""

    class Later(clock.datetime):
        @classmethod
        def now(cls, tz: clock.tzinfo | None = None) -> "Later":
            moved = clock.datetime.now(tz) + clock.timedelta(days=days)
            return cls(*moved.timetuple()[:6])

    monkeypatch.setattr(chat_template_utils, "datetime", Later)


def test_a_run_is_the_same_on_two_days_and_in_another_batch(
    tmp_path: Path, bench: Path, small_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "dated"
    folder.mkdir()
    for path in small_model.iterdir():
        if path.name != "chat_template.jinja":
            (folder / path.name).symlink_to(path)
    (folder / "chat_template.jinja").write_text(TODAY)
    tokenizer, message = load_tokenizer(folder), [{"role": "user", "content": "Hi"}]
    asked: list[dict[str, str]] = []
    write = client.chat_text

    def noted(tokenizer: object, request: client.Request, *more: object) -> str:
        text = write(tokenizer, request, *more)  # type: ignore[arg-type]
        asked[-1][request.instance_id] = text
        return text

    monkeypatch.setattr(client, "chat_text", noted)
    dates, outs = [], []
    for days, batch in ((0, "1400"), (400, "1")):
        _moved(monkeypatch, days)
        dates.append(tokenizer.apply_chat_template(message, tokenize=False))
        outs.append(tmp_path / f"{days}.jsonl")
        asked.append({})
        files = ["--benchmark", str(bench), "--model", str(folder), "--out", str(outs[-1])]
        assert run_command(["run", *files, *SETTINGS, "--limit", "4", "--batch-tokens", batch]) == 0
    assert dates[0] != dates[1], "the clock was moved, and the template prints its date"
    assert asked[0] == asked[1]
    assert all(text.startswith("Today: 01 January 2025") for text in asked[0].values())
    assert texts(outs[0]) == texts(outs[1])
    metas = [read_meta(out) or {} for out in outs]
    assert metas[0]["run_id"] == metas[1]["run_id"]
    assert {meta["template_date"] for meta in metas} == {"2025-01-01"}
