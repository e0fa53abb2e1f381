"""The benchmarks page's handlers on a real database, called as Gradio calls them."""

from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import Engine, select

from clinicnum.api.make_benchmark import make_benchmark, plan_benchmark
from clinicnum.api.record_sources import Wanted
from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import BenchmarkRow, JobRow
from clinicnum.db.upload_storage import Uploads
from clinicnum.db.work.accounts.users import add_user
from clinicnum.db.work.bank.template_versions import add_packaged_templates
from clinicnum.db.work.benchmarks.benchmark_storage import store_benchmark
from clinicnum.db.work.release.releases import PlannedRelease, ReleaseOptions
from clinicnum.db.work.runs import stored_runs
from clinicnum.errors import ClinicnumError, InputError
from clinicnum.generation.presets import PRESETS
from clinicnum.imports.import_items import ITEM_FORMATS
from clinicnum.imports.item_preview import find_format, preview_items
from clinicnum.imports.question_csv import DIMENSION_FIELDS, FIELDS, propose_columns
from clinicnum.scripts.commands.common.uploads_folder import uploads_folder
from clinicnum.templates.packaged_banks import BANKS, named_bank
from clinicnum.types import REPRESENTATIONS
from clinicnum.ui.components.job_wording import job_steps
from clinicnum.ui.pages.benchmarks import import_view, option_names
from clinicnum.ui.pages.benchmarks.benchmark_browser import InsideHandlers
from clinicnum.ui.pages.benchmarks.generate_tab import GenerateHandlers
from clinicnum.ui.pages.benchmarks.import_tab import COLUMN_FIELDS, ImportHandlers
from clinicnum.ui.pages.benchmarks.name_and_openness import ChangeHandlers
from clinicnum.ui.pages.benchmarks.page import BenchmarksHandlers
from clinicnum.variants.kinds import VARIANTS
from tests.db.examples import material
from tests.db.publishing import publish
from tests.jobs.performing import perform_job
from tests.ui.gradio_request import Request

FORM = ("Mine", "synthetic", "", "", "small", "base", ["structured", "note"], ["missing.masked"], 0)


@pytest.fixture
def people(engine: Engine) -> dict[str, Any]:
    with writing(engine) as session:
        return {
            role: Request(add_user(session, name=role, role=role, password=None).user_id)  # type: ignore[arg-type]
            for role in ("researcher", "annotator")
        }


@pytest.fixture
def benchmark(engine: Engine) -> str:
    """A generated benchmark of 4 questions, and one loaded with a run, of which no meta is known."""
    plan = plan_benchmark(
        Wanted("synthetic", None, "", False),
        preset="small",
        quota="retrieval=2,arithmetic=2",
        representation="structured,note",
        scope=None,
        bank="base",
        notes=None,
        variants="input.typo",
        seed=1,
    )
    instances, meta = make_benchmark(plan)
    with writing(engine) as session:
        stored_runs.add_runs(session, material=material(wrong=2, right=1))
        return store_benchmark(session, meta={**meta, "name": "Ward"}, instances=instances)


def selected(*row: object, value: object = None) -> Any:
    return SimpleNamespace(row_value=list(row), value=value)


def jobs(engine: Engine) -> list[tuple[str, dict[str, Any]]]:
    with reading(engine) as session:
        return [(row.kind, row.arguments) for row in session.scalars(select(JobRow))]


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


def test_a_sample_is_shown_before_the_benchmark_is_asked_for(engine: Engine, people: dict[str, Any]) -> None:
    tab, res = GenerateHandlers(Store(engine)), people["researcher"]
    _, path, columns, said, sample = tab.sample(res, *FORM)
    assert not path["visible"]
    assert not columns["visible"]
    assert "16 questions in 2 representations and 1 variant of each, at most 64 instances" in said
    assert sample.count("Gold answer:") == 3
    assert "a needed value missing" in sample
    _, path, columns, said, sample = tab.sample(res, "", "csv", *FORM[2:])
    assert (path["visible"], columns["visible"], sample) == (True, True, "")
    _, job, line, timer = tab.generate(people["researcher"], *FORM)
    assert job
    assert timer["active"]
    assert "It waits for the worker" in line
    ((kind, arguments),) = jobs(engine)
    assert (kind, arguments["name"], arguments["representation"]) == ("generate", "Mine", "structured,note")
    assert arguments["variants"] == "missing.masked"


def publish_retrieval(engine: Engine) -> PlannedRelease:
    """A release of all that reads off a value."""
    others = tuple(one.id for one in named_bank("all") if one.operation != "retrieval")
    with writing(engine) as session:
        add_packaged_templates(session)
        order = ReleaseOptions(name="ward-1", include_unreviewed=True, leave_out=others)
        return publish(session, order)


def test_a_published_release_is_offered_sampled_and_generated_from_as_by_the_command(
    engine: Engine, people: dict[str, Any], tmp_path: Path
) -> None:
    tab, res = GenerateHandlers(Store(engine)), people["researcher"]
    release = publish_retrieval(engine)
    offered = dict(tab.load_banks(res)[1]["choices"])
    chosen = offered["release ward-1: 7 templates"]
    asked = (*FORM[:5], chosen, *FORM[6:])
    _, _, _, said, sample = tab.sample(res, *asked)
    assert "4 questions in 2 representations" in said
    assert "retrieval" in sample
    tab.generate(res, *asked)
    ((_kind, arguments),) = jobs(engine)
    assert arguments["release"] == "ward-1"
    with writing(engine) as session:
        session.execute(JobRow.__table__.delete())  # type: ignore[attr-defined]
    done = perform_job(engine, tmp_path, res.username, "generate", **arguments)
    folder = tmp_path / "release"
    folder.mkdir()
    for name, content in release.files.items():
        (folder / name).write_text(content, encoding="utf-8", newline="")
    by_command = plan_benchmark(
        Wanted("synthetic", None, "", False),
        preset="small",
        quota="",
        representation="structured,note",
        scope=None,
        bank=str(folder),
        notes=None,
        variants="missing.masked",
        seed=0,
    )
    _, meta = make_benchmark(by_command)
    assert done.result is not None
    assert done.result["benchmark"] == meta["benchmark_id"]
    with reading(engine) as session:
        (stored,) = session.scalars(select(BenchmarkRow))
        assert stored.meta["bank_release"] == meta["bank_release"]
    assert job_steps(done)[0] == ("Launch a run on it", f"/runs/?benchmark={meta['benchmark_id']}")


UNUSABLE: tuple[dict[int, Any], ...] = (
    *(
        {6: []},
        {6: ["x"]},
        {5: "/etc"},
        {5: "base,all"},
        {5: "release:none"},
        {5: "release:"},
        {4: "huge"},
        {7: ["x"]},
        {8: -1},
        {0: "\0"},
        {3: []},
    ),
)


def test_a_form_that_cannot_be_used_says_why_and_starts_nothing(
    engine: Engine, people: dict[str, Any]
) -> None:
    tab = GenerateHandlers(Store(engine))
    for changes in UNUSABLE:
        with pytest.raises(ClinicnumError):
            tab.sample(people["researcher"], *(changes.get(place, value) for place, value in enumerate(FORM)))
    for changes in ({1: "csv"}, {1: "mimic-iv-ed", 2: " "}, {5: "/etc"}):
        with pytest.raises(ClinicnumError):
            tab.generate(
                people["researcher"], *(changes.get(place, value) for place, value in enumerate(FORM))
            )
    assert jobs(engine) == []


def upload(uploads: Uploads, owner: str, content: bytes, name: str = "mine.csv") -> Any:
    with uploads.begin(owner=owner, name=name, size=len(content)) as receiving:
        receiving.write(content)
        return selected(value={"upload": receiving.finish().upload_id, "name": name})


def test_a_file_is_looked_at_its_columns_corrected_and_imported(
    engine: Engine, people: dict[str, Any], tmp_path: Path
) -> None:
    files, res = tmp_path / "files", people["researcher"]
    uploads = Uploads(files / "uploads")
    tab = ImportHandlers(Store(engine), uploads)
    event = upload(uploads, res.username, b"Frage,Antwort,alt,Level,Ort\nPulse?,x,88,1,a\nAnd?,90,91,2,b\n")
    _, key, kind, panel, header, *columns, kinds, said, first, wrong, button = tab.look_at(event, res)
    assert (kind, panel["visible"], button["interactive"]) == ("csv-number", True, False)
    assert header["value"].startswith("The file has 5 columns: Frage, Antwort, alt, Level, Ort. ")
    assert header["value"].endswith("needed are Question, Gold answer.")
    proposed = {field: one["value"] for field, one in zip(COLUMN_FIELDS, columns, strict=True)}
    assert (proposed["question"], proposed["answer"], proposed["context"]) == ("Frage", "Antwort", "")
    assert {one["visible"] for one in columns} == {True, False}
    assert "1 row is wrong" in said
    assert wrong["value"][0][:2] == [1, "2"]
    assert not first["visible"]
    assert (kinds["value"], kinds["choices"][-1]) == (["Level"], "Ort")
    values: list[Any] = [{"question": "Frage", "answer": "alt"}.get(field, "") for field in COLUMN_FIELDS]
    values.append(["Level", "Ort"])
    *_, said, first, wrong, button = tab.preview(res, key, kind, *values)
    assert "2 items can be imported" in said
    assert [row[2] for row in first["value"]] == ["88", "91"]
    assert first["value"][0][-2] == "difficulty: 1; ort: a"
    assert button["interactive"]
    *_, said, first, wrong, _ = tab.choose_format(key, "csv-text", res)
    assert [row[2] for row in first["value"]] == ["x", "90"]
    *_, said, first, wrong, _ = tab.choose_format(key, "medec", res)
    assert "No column" in said or "no column" in said
    assert str(tmp_path) not in said
    _said, told, button, *_ = tab.import_items(
        res, key, kind, "Ward", True, ["input.typo", "prompt.direct"], 3, *values
    )
    assert "choose a file again" in told
    assert not button["interactive"], "the import deletes the file"
    ((asked, arguments),) = jobs(engine)
    assert asked == "import_items"
    chosen = {"question": "Frage", "answer": "alt", "difficulty": "Level", "dimension.ort": "Ort"}
    assert arguments["columns"] == chosen
    assert (arguments["label"], arguments["open_data"], arguments["file_name"]) == ("Ward", True, "mine.csv")
    assert (arguments["variants"], arguments["seed"]) == ("input.typo,prompt.direct", 3)


def test_variants_of_imported_questions_are_counted_with_the_reasons_for_the_others(
    engine: Engine, people: dict[str, Any], tmp_path: Path
) -> None:
    items = b"question,A,B,answer\nWhich hormone?,insulin,cortisol,B\nWhich drug?,aspirin,none of these,A\n"
    uploads, res = Uploads(uploads_folder(tmp_path)), people["researcher"]
    key = upload(uploads, res.username, items).value["upload"]
    columns = [*("" for _ in COLUMN_FIELDS), []]
    asked = (key, "csv-choice", "Hormones", True, ["options.shuffle.1", "input.typo"], 0, *columns)
    ImportHandlers(Store(engine), uploads).import_items(res, *asked)
    ((kind, arguments),) = jobs(engine)
    with writing(engine) as session:
        session.execute(JobRow.__table__.delete())  # type: ignore[attr-defined]
    job = perform_job(engine, tmp_path, res.username, kind, **arguments)
    assert job.result is not None, job.error
    name = job.result["benchmark"]
    _said, _visible, steps, named, openness, *_ = InsideHandlers(Store(engine)).open_benchmark(name, res)
    assert (named, openness["value"], openness["interactive"]) == ("Hormones", "open", True)
    assert "Of which questions there are variants" in steps
    assert "an option may refer to others or to their places (1)" in steps
    assert "no ordinary word is long enough (2)" in steps


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


def test_a_file_that_is_none_hides_the_form_and_is_deleted(
    engine: Engine, people: dict[str, Any], tmp_path: Path
) -> None:
    uploads, res = Uploads(tmp_path / "uploads"), people["researcher"]
    event = upload(uploads, res.username, "question,answer\n".encode("utf-16"))
    said, key, _, panel, *_ = ImportHandlers(Store(engine), uploads).look_at(event, res)
    assert "text in UTF-16" in said
    assert (key, panel["visible"]) == ("", False)
    assert list(uploads.folder.glob("*")) == []


@pytest.mark.parametrize(
    ("name", "content"), [("a.csv", import_view.EXAMPLE_CSV), ("a.jsonl", import_view.EXAMPLE_JSONL)]
)
def test_the_example_on_the_page_can_be_imported(tmp_path: Path, name: str, content: str) -> None:
    path = tmp_path / name
    path.write_text(content)
    found = find_format(path)
    preview = preview_items(
        path, found.format, columns=propose_columns([*found.header], found.format) if found.header else None
    )
    assert (preview.items, preview.problems) == (1, ())
    assert content in import_view.example()


def test_needed_columns_are_asked_for_by_the_names_of_the_fields(
    engine: Engine, people: dict[str, Any], tmp_path: Path
) -> None:
    uploads, res = Uploads(tmp_path / "uploads"), people["researcher"]
    tab = ImportHandlers(Store(engine), uploads)
    for content, complaint in (
        (
            b"hello,these are my notes\n1,2\n",
            'Choose above which column of the file holds "Question", "Gold answer". It has the columns '
            "hello, these are my notes.",
        ),
        (b"notes\nof mine\n", "It has one column only, 'notes'; is it the right file?"),
    ):
        _, key, _, *_, verdict, _, _, button = tab.look_at(upload(uploads, res.username, content), res)
        assert complaint in unescape(verdict)
        assert not button["interactive"]
    *_, verdict, _, _, _ = tab.choose_format(key, "medec", res)
    assert "or choose another format<" in unescape(verdict)
    options = upload(uploads, res.username, b"question,answer\nq,x y z\n").value["upload"]
    *_, verdict, _, _, _ = tab.choose_format(options, "csv-choice", res)
    assert "choose columns for the options<" in unescape(verdict)


def test_what_is_no_text_and_what_is_cut_off_say_so(
    engine: Engine, people: dict[str, Any], tmp_path: Path
) -> None:
    uploads, res = Uploads(tmp_path / "uploads"), people["researcher"]
    tab = ImportHandlers(Store(engine), uploads)
    for content, what in (
        (b"\x89PNG\r\n\x1a\n", "a picture"),
        (b"\0\1\xff", "no text file"),
    ):
        message, *_ = tab.look_at(upload(uploads, res.username, content), res)
        assert f">mine.csv is {what}" in message
    *_, wrong, _ = tab.look_at(upload(uploads, res.username, b'{"question": "q", "ans'), res)
    ((row, line, told),) = wrong["value"]
    assert (row, line) == (1, "1")
    assert told.startswith("ends in the middle; expected one whole JSON object")


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
