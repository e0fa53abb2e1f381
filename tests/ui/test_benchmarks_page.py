"""The benchmarks page's handlers on a real database, called as Gradio calls them."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import BenchmarkRow, JobRow
from clinicnum.db.upload_storage import Uploads
from clinicnum.errors import ClinicnumError, InputError
from clinicnum.generation.presets import PRESETS
from clinicnum.imports.import_items import ITEM_FORMATS
from clinicnum.imports.question_csv import DIMENSION_FIELDS, FIELDS
from clinicnum.templates.packaged_banks import BANKS
from clinicnum.types import REPRESENTATIONS
from clinicnum.ui.pages.benchmarks import option_names
from clinicnum.ui.pages.benchmarks.benchmark_browser import InsideHandlers
from clinicnum.ui.pages.benchmarks.generate_tab import GenerateHandlers
from clinicnum.ui.pages.benchmarks.import_tab import COLUMN_FIELDS, ImportHandlers
from clinicnum.ui.pages.benchmarks.name_and_openness import ChangeHandlers
from clinicnum.ui.pages.benchmarks.page import BenchmarksHandlers
from clinicnum.variants.kinds import VARIANTS
from tests.jobs.performing import perform_job
from tests.ui.benchmarks_example import (
    FORM,
    add_benchmarks,
    add_people,
    jobs,
    publish_retrieval,
    selected,
    upload,
)
from tests.ui.gradio_request import Request


@pytest.fixture
def people(engine: Engine) -> dict[str, Any]:
    return add_people(engine)


@pytest.fixture
def benchmark(engine: Engine) -> str:
    return add_benchmarks(engine)


def test_every_choice_has_words_and_every_word_a_choice() -> None:
    assert option_names.PRESET_NAMES.keys() == PRESETS.keys()
    assert option_names.BANK_NAMES.keys() == BANKS.keys()
    assert option_names.FORMAT_NAMES.keys() == ITEM_FORMATS.keys()
    assert tuple(option_names.REPRESENTATION_WORDS) == REPRESENTATIONS
    named = {field for fields in FIELDS.values() for field in fields}
    assert set(option_names.FIELD_NAMES) | set(DIMENSION_FIELDS) == named
    left_out = VARIANTS.keys() - option_names.VARIANT_NAMES.keys()
    assert option_names.VARIANT_NAMES.keys() <= VARIANTS.keys()
    assert all(name.startswith("prompt.persona.") for name in left_out)


def test_benchmarks_are_listed_with_what_they_hold(
    engine: Engine, people: dict[str, Any], benchmark: str
) -> None:
    said, _tab, table, choices, *_ = BenchmarksHandlers(Store(engine)).load(people["researcher"])
    assert said == ""
    assert choices["choices"] == [("bench", "bench"), ("Ward", benchmark)]
    unknown, made = table["value"]
    assert unknown[:2] == ["bench", "not said"]
    assert unknown[3:5] + unknown[6:8] == ["arithmetic", "structured", 1, "not known to be open"]
    assert made[:2] == ["Ward", "made-up patients"]
    assert made[3:] == [
        "arithmetic, retrieval",
        "structured, note",
        "spelling mistakes",
        0,
        "open",
        benchmark,
    ]


def test_an_address_of_no_benchmark_says_so(engine: Engine, people: dict[str, Any], benchmark: str) -> None:
    asked: Any = Request(people["researcher"].username, query_params={"benchmark": "zzz"})
    said, _tab, table, _choices, *inside = BenchmarksHandlers(Store(engine)).load(asked)
    assert "There is no benchmark “zzz”; choose one of those there are." in said
    assert benchmark in str(table["value"])
    assert not inside[0]["visible"]


def test_the_address_and_a_row_open_a_benchmark_from_inside(
    engine: Engine, people: dict[str, Any], benchmark: str
) -> None:
    page, res = BenchmarksHandlers(Store(engine)), people["researcher"]
    by_row = page.select_benchmark(selected("Ward", benchmark), res)
    asked: Any = Request(res.username, query_params={"benchmark": benchmark})
    by_address = page.load(asked)
    assert by_row[1] == by_address[3]["value"] == benchmark
    assert by_row[2:] == by_address[4:]
    assert by_row[2]["visible"]
    assert "Not checked yet" in by_row[-2]
    lost: Any = Request(res.username, query_params={"benchmark": "../x"})
    assert "There is no benchmark “../x”" in page.load(lost)[0]


def test_instances_are_found_by_filters_and_one_is_shown_whole(
    engine: Engine, people: dict[str, Any], benchmark: str
) -> None:
    inside, res = InsideHandlers(Store(engine)), people["researcher"]

    def found(*filters: str) -> list[list[str]]:
        rows: list[list[str]] = inside.show(benchmark, *filters, res)[2]["value"]
        return rows

    everything = found("", "", "", "")
    assert 8 < len(everything) <= 20
    assert {row[2] for row in found("retrieval", "", "", "")} == {"retrieval"}
    assert {row[3] for row in found("", "note", "", "")} == {"note"}
    template = everything[0][5]
    assert {row[5] for row in found("", "", template, "")} == {template}
    word = everything[0][0].split()[-2].upper()
    assert everything[0] in found("", "", "", word)
    assert found("", "", "", "no such words") == []
    _, shown, facts, records, worked = inside.select_instance(benchmark, selected(*everything[0]), res)
    assert shown["visible"]
    assert facts[0] == ["Question", everything[0][0]]
    assert "<table" in records
    assert "As the model is given it" in records
    assert worked["value"]
    *_, number, _, _, _, _ = inside.turn(benchmark, "", "", "", "", 99, res)
    assert (number["value"], number["maximum"]) == (1, 1)


def test_name_and_openness_are_changed_on_the_benchmarks_own_page_deliberately(
    engine: Engine, people: dict[str, Any], benchmark: str
) -> None:
    page, res = ChangeHandlers(Store(engine)), people["researcher"]
    with writing(engine) as session:
        row = session.get_one(BenchmarkRow, "bench")
        row.meta = row.meta | {"source_format": "csv-number", "source": "own.csv", "credentialed": True}
    name, openness, never, sure = page.values("bench")
    assert (name, openness["value"], openness["interactive"], never) == ("own.csv", "not_known", True, "")
    assert (sure["value"], sure["visible"]) == (False, False)
    assert page.ask("open")[1]["visible"]
    with pytest.raises(InputError, match="Tick that you may decide"):
        page.store_changes("bench", "Ward sums", "open", False, res)
    with reading(engine) as session:
        assert "name" not in session.get_one(BenchmarkRow, "bench").meta, "all or nothing"
    said, name, openness, *_ = page.store_changes("bench", "Ward sums", "open", True, res)
    assert ("Ward sums is stored; its questions are open." in said, name) == (True, "Ward sums")
    assert openness["value"] == "open"
    said, name, openness, *_ = page.store_changes("bench", "", "not_known", False, res)
    assert "own.csv is stored; its questions are not known to be open." in said
    with pytest.raises(ClinicnumError):
        page.store_changes("bench", "mine", "open", True, people["annotator"])


def test_a_generated_benchmark_says_why_nobody_can_change_its_openness(
    engine: Engine, people: dict[str, Any], benchmark: str
) -> None:
    page = ChangeHandlers(Store(engine))
    assert page.values(benchmark)[1]["value"] == "open", "of synthetic records"
    with writing(engine) as session:
        row = session.get_one(BenchmarkRow, benchmark)
        row.meta = row.meta | {"source": "ward.csv", "credentialed": True}
    _name, openness, never, _sure = page.values(benchmark)
    assert not openness["interactive"]
    assert never.startswith("Its questions were generated from records")


def test_a_check_is_asked_for_and_its_findings_are_shown(
    engine: Engine, people: dict[str, Any], benchmark: str, tmp_path: Path
) -> None:
    inside, res = InsideHandlers(Store(engine)), people["researcher"]
    assert inside.lint(benchmark, res)[1]
    ((kind, arguments),) = jobs(engine)
    assert (kind, arguments) == ("lint", {"benchmark_id": benchmark})
    with writing(engine) as session:
        session.execute(JobRow.__table__.delete())  # type: ignore[attr-defined]
    perform_job(engine, tmp_path, res.username, "lint", benchmark_id="bench")
    _, _, _, said, table = BenchmarksHandlers(Store(engine)).refresh("bench", res)
    assert "findings" in said or "Not checked:" in said
    assert table["visible"] == bool(table["value"])


def test_whoever_may_not_evaluate_sees_and_starts_nothing(
    engine: Engine, people: dict[str, Any], benchmark: str, tmp_path: Path
) -> None:
    store, ann = Store(engine), people["annotator"]
    uploads = Uploads(tmp_path / "uploads")
    key = upload(uploads, ann.username, b"question,answer\nq,1\n").value["upload"]
    columns = [*("" for _ in COLUMN_FIELDS), []]
    publish_retrieval(engine)
    from_release = (*FORM[:5], "release:ward-1", *FORM[6:])
    calls: list[Any] = [
        lambda: BenchmarksHandlers(store).load(ann),
        lambda: InsideHandlers(store).open_benchmark(benchmark, ann),
        lambda: InsideHandlers(store).show(benchmark, "", "", "", "", ann),
        lambda: InsideHandlers(store).select_instance(benchmark, selected("i1"), ann),
        lambda: InsideHandlers(store).lint(benchmark, ann),
        lambda: BenchmarksHandlers(store).refresh(benchmark, ann),
        lambda: GenerateHandlers(store).generate(ann, *FORM),
        lambda: ImportHandlers(store, uploads).import_items(
            ann, key, "csv-number", "", False, [], 0, *columns
        ),
        lambda: GenerateHandlers(store).load_banks(ann),
        lambda: GenerateHandlers(store).sample(ann, *from_release),
        lambda: ImportHandlers(store, uploads).preview(people["researcher"], key, "csv-number", *columns),
    ]
    for call in calls:
        with pytest.raises(ClinicnumError):
            call()
    assert jobs(engine) == []
