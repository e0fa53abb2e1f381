"""What runs are called."""

import pytest

from clinicnum.annotations.run_names import display_names, read_label
from clinicnum.annotations.study_summary import RunSummary
from clinicnum.errors import InputError


def summary(run: str, **given: str | None) -> RunSummary:
    none = {"benchmark_id": "bench", "generations": 0, "scored": 0, "statuses": {}, "studies": ()}
    return RunSummary.model_validate(none | {"run": run, "run_id": f"{run}{run}", "model": "llama"} | given)


def test_a_run_is_called_by_its_label_or_its_model_or_its_id_and_no_two_alike() -> None:
    runs = [
        summary("a", label="second prompt"),
        summary("b", model=None),
        summary("c"),
        summary("d", run_id="0123456789"),
        summary("e", run_id="0123456788"),
        summary("f", run_id="0123456788", benchmark_id="other"),
    ]
    assert display_names(runs) == {
        "a": "second prompt",
        "b": "bb",
        "c": "llama (cc)",
        "d": "llama (0123456789)",
        "e": "llama (e)",
        "f": "llama (f)",
    }
    assert display_names([replaced(one, "same") for one in runs[:2]]) == {"a": "same (aa)", "b": "same (bb)"}


def replaced(one: RunSummary, label: str) -> RunSummary:
    return one.model_copy(update={"label": label})


def test_a_label_is_plain_text_of_some_length() -> None:
    assert read_label("  llama   8b ") == "llama 8b"
    assert read_label(" ") is None
    for odd in ("x" * 81, "a\x00b", "\u202egnp"):
        with pytest.raises(InputError, match="expected at most 80 plain"):
            read_label(odd)
