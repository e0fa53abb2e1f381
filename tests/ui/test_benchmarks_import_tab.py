"""Questions made elsewhere, imported on the benchmarks page: looked at, corrected, refused, stored."""

from html import unescape
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import writing
from clinicnum.db.rows import JobRow
from clinicnum.db.upload_storage import Uploads
from clinicnum.imports.item_preview import find_format, preview_items
from clinicnum.imports.question_csv import propose_columns
from clinicnum.scripts.commands.common.uploads_folder import uploads_folder
from clinicnum.ui.pages.benchmarks import import_view
from clinicnum.ui.pages.benchmarks.benchmark_browser import InsideHandlers
from clinicnum.ui.pages.benchmarks.import_tab import COLUMN_FIELDS, ImportHandlers
from tests.jobs.performing import perform_job
from tests.ui.benchmarks_example import add_benchmarks, add_people, jobs, upload


@pytest.fixture
def people(engine: Engine) -> dict[str, Any]:
    return add_people(engine)


@pytest.fixture
def benchmark(engine: Engine) -> str:
    return add_benchmarks(engine)


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
