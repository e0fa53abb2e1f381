"""When records may be shared: what is not known to be open may not, and a mark is never lost."""

from typing import Any

import pytest

from clinicnum.credentialed_data import MARK, NOT_KNOWN, data_use, mark, readme
from clinicnum.types import Instance
from tests.db.examples import instance

OPEN: dict[str, Any] = {"credentialed": False}


def of(source: str) -> list[Instance]:
    made = instance(0)
    return [
        made.model_copy(
            update={"records": tuple(r.model_copy(update={"source": source}) for r in made.records)}
        )
    ]


@pytest.mark.parametrize(
    ("meta", "source", "more", "terms"),
    [
        pytest.param({}, "synthetic", {}, None, id="made up, without a meta"),
        pytest.param({}, "mimic-iv-ed-demo", {}, None, id="the open demo"),
        pytest.param(OPEN, "ward.csv", {}, None, id="a CSV that is said to be open"),
        pytest.param({}, "ward.csv", {}, "not known to be open", id="a CSV that lost its meta"),
        pytest.param({"seed": 0}, "ward.csv", {}, "not known to be open", id="a meta that does not say"),
        pytest.param(OPEN, "mimic-iv-ed", {}, "MIMIC-IV-ED is under", id="a meta that says what is not so"),
        pytest.param(
            {"source": "mimic-iv-ed"}, "synthetic", {}, "MIMIC-IV-ED is under", id="by the meta's source"
        ),
        pytest.param(
            {"credentialed": True}, "synthetic", {}, "not known to be open", id="notes of the user's"
        ),
        pytest.param(OPEN, "synthetic", {"credentialed": True}, "not known to be open", id="a marked run"),
        pytest.param(
            {"credentialed": "false"}, "ward.csv", {}, "not known to be open", id="a word is no mark"
        ),
    ],
)
def test_what_is_said(meta: dict[str, Any], source: str, more: dict[str, Any], terms: str | None) -> None:
    said = data_use(meta, of(source), more)
    if terms is None:
        assert said is None
        assert mark(said) == {}
        return
    assert said is not None
    assert said.startswith(f"{MARK if 'agreement' in said else NOT_KNOWN}: ")
    assert ("credentialed" in said) is ("agreement" in said), "not of data of which nothing is known"
    assert terms in said
    assert "\n" not in said
    assert mark(said) == {"credentialed": True, "data_use": said}
    assert said in readme(said)


def test_without_records_and_meta_nothing_is_known_to_be_open() -> None:
    assert data_use({}) is not None
    assert data_use(OPEN) is None
    assert data_use({}, sources={"synthetic"}) is None
    assert data_use(OPEN, sources={"synthetic", "mimic-iv-ed"}) is not None


def test_a_sentence_in_a_file_is_never_repeated() -> None:
    said = data_use({"credentialed": True, "data_use": "<script>share freely</script>"}, of("ward.csv"))
    assert said is not None
    assert "share freely" not in said
