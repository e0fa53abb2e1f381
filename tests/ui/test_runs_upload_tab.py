"""Answers that were made elsewhere, uploaded on the runs page: looked at, refused, stored."""

from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import gradio as gr
import pytest
from sqlalchemy import Engine

from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import reading, writing
from clinicnum.db.upload_storage import Uploads
from clinicnum.db.work.benchmarks.benchmark_storage import benchmark_instances
from clinicnum.db.work.jobs import job_store
from clinicnum.db.work.runs import stored_runs
from clinicnum.errors import ClinicnumError
from clinicnum.imports.answer_format_detection import find_answer_format
from clinicnum.imports.check_answer_file import check_answers
from clinicnum.ui.pages.runs import upload_view
from clinicnum.ui.pages.runs.upload_answers_tab import UploadHandlers
from clinicnum.ui.pages.runs.upload_view import EXAMPLE_CSV, EXAMPLE_JSONL
from tests.db.test_run_work import counted
from tests.ui.runs_example import researcher_with_runs


@pytest.fixture
def rhea(engine: Engine) -> Any:
    return researcher_with_runs(engine)


@pytest.mark.parametrize(("kind", "example"), [("csv", EXAMPLE_CSV), ("jsonl", EXAMPLE_JSONL)])
def test_the_example_of_a_file_of_answers_is_one(tmp_path: Path, kind: str, example: str) -> None:
    file = tmp_path / f"answers.{kind}"
    file.write_text(example, encoding="utf-8")
    assert find_answer_format(file) == kind
    check_answers(file, kind)
    assert example in upload_view.example()


def test_uploaded_answers_are_looked_at_and_asked_to_be_stored(
    engine: Engine, rhea: Any, tmp_path: Path
) -> None:
    uploads = Uploads(tmp_path)
    page = UploadHandlers(Store(engine), uploads)
    assert page.load_answered(rhea)[1]["value"] == "bench"

    def sent(content: bytes) -> Any:
        with uploads.begin(owner=rhea.username, name="a.csv", size=len(content)) as receiving:
            receiving.write(content)
            found = receiving.finish().upload_id
        return gr.SelectData(None, {"index": 0, "value": {"upload": found}})

    message, upload, form_, *_ = page.look_at("bench", sent(b"PK"[:1]), rhea)
    assert (message, form_["visible"]) == ("", True), "one letter is a column without rows"
    _, upload, form_, chosen, kind, fields, asked, text, verdict = page.look_at(
        "bench", sent(b"instance_id,text\ni0,7\n"), rhea
    )
    assert (form_["visible"], chosen, kind, fields["visible"]) == (True, "bench", "csv", True)
    assert (asked["value"], text["value"]) == ("instance_id", "text")
    assert "a.csv is uploaded." in verdict
    assert page.choose_format(upload, "lm-eval", "bench", rhea)[1]["visible"] is False
    message, nothing, hidden, *_ = page.look_at("bench", sent(b"\xff\xfe"), rhea)
    assert ("cn-bad" in message, nothing, hidden["visible"]) == (True, "", False)

    values = {"upload": upload, "benchmark": "bench", "format": "csv", "model": "gpt-x", "label": "mine"}
    for wrong, complaint in (
        ({"upload": ""}, "Upload a file first"),
        ({"upload": "0" * 32}, "no such uploaded file"),
        ({"format": "<b>"}, "no such format"),
        ({"model": " "}, "which model"),
        ({"benchmark": "none"}, "Choose the benchmark"),
    ):
        with pytest.raises(ClinicnumError, match=complaint):
            page.store_answers(rhea, *(values | wrong).values(), "", "", False)
    page.store_answers(rhea, *values.values(), " instance_id ", "", True)
    with reading(engine) as session:
        (job,) = job_store.list_jobs(session, user_id=rhea.username)
    assert job.kind == "import_generations"
    assert (job.arguments["columns"], job.arguments["model"]) == ({}, "gpt-x"), "by its usual name"
    assert job.arguments["own_prompts"] is True


UPLOADED_WRONG = {
    "another column": (
        b"instance_id,said\ni0,7\n",
        "answers.csv has no column 'text': its first line, which has to name the columns, is 'instance_id, "
        "said'; expected there: text; name the columns of answers and questions, or choose another format<",
    ),
    "no table": (b"hello, these are my notes\n", "answers.csv has no column 'text'"),
    "cut off": (
        b'{"instance_id": "i0", "text": "7"}\n{"instance_id": "i1", "te',
        "answers.csv:2: row 2: ends in the middle; expected one whole JSON object, in JSONL on one line; if "
        "the file was cut off, save or download it again",
    ),
    "another field": (b'{"id": "i0", "said": "7"}\n', "name a field that holds the answer in every row<"),
    "no question": (b'{"text": "7"}\n', "name the field with the question, or its id<"),
    "a log's fields": (b'{"doc_id": 1, "resps": []}\n', "row 1: doc is missing"),
}


@pytest.mark.parametrize(
    ("content", "chosen", "fits"),
    [
        ("id,text\ni1,7\n", "other", "bench"),
        ("id,text\ni1,7\n", "bench", "bench"),
        ("id,text\nfar,7\n", "bench", "other"),
        ("id,text\nnone,7\n", "other", "other"),
        ("id,text\nfar,7\n", "", "other"),
    ],
)
def test_the_benchmark_that_a_file_fits_is_chosen_where_the_chosen_one_does_not(
    engine: Engine, rhea: Any, tmp_path: Path, content: str, chosen: str, fits: str
) -> None:
    made = counted("elsewhere", wrong=1, right=0, benchmark_id="other", instance_id="far")
    answered = made.runs[0].generations[0].model_copy(update={"instance_id": "far"})
    with writing(engine) as session:
        run = replace(made.runs[0], generations=(answered,))
        stored_runs.add_runs(session, material=replace(made, runs=(run,)))
    uploads = Uploads(tmp_path)
    with uploads.begin(owner=rhea.username, name="a.csv", size=len(content)) as receiving:
        receiving.write(content.encode())
        key = receiving.finish().upload_id
    event = gr.SelectData(None, {"index": 0, "value": {"upload": key}})
    found = UploadHandlers(Store(engine), uploads).look_at(chosen, event, rhea)
    assert found[3] == fits
    assert ("Its 1 answer fits" in found[-1]) == ("none" not in content), found[-1]


@pytest.mark.parametrize("case", UPLOADED_WRONG)
def test_what_is_wrong_in_the_beginning_of_a_file_is_told_on_the_page_and_starts_nothing(
    engine: Engine, rhea: Any, tmp_path: Path, case: str
) -> None:
    content, complaint = UPLOADED_WRONG[case]
    uploads = Uploads(tmp_path)
    page = UploadHandlers(Store(engine), uploads)
    with uploads.begin(owner=rhea.username, name="answers.csv", size=len(content)) as receiving:
        receiving.write(content)
        key = receiving.finish().upload_id
    event = gr.SelectData(None, {"index": 0, "value": {"upload": key}})
    _, upload, form_, _, kind, *_, verdict = page.look_at("", event, rhea)
    assert (upload, form_["visible"]) == (key, True), "another format or another field may be right"
    assert complaint in unescape(verdict)
    message, verdict, *job = page.store_answers(rhea, key, "bench", kind, "gpt-x", "mine", "", "", False)
    assert (message, job) == ("", [gr.skip()] * 4)
    assert complaint in unescape(verdict)
    with reading(engine) as session:
        assert not job_store.list_jobs(session, user_id=rhea.username)
    if case == "another column":
        assert "answers.csv is uploaded." in page.choose_fields(key, "csv", "bench", "", "said", rhea)[1]
        page.store_answers(rhea, key, "bench", kind, "gpt-x", "mine", "", "said", False)


def test_columns_of_other_names_are_found_and_all_answers_said_to_fit(
    engine: Engine, rhea: Any, tmp_path: Path
) -> None:
    uploads = Uploads(tmp_path)
    page = UploadHandlers(Store(engine), uploads)
    with reading(engine) as session:
        first, second, *others = [one.instance_id for one in benchmark_instances(session, "bench")]

    def look(content: str) -> Any:
        with uploads.begin(owner=rhea.username, name="a.csv", size=len(content)) as receiving:
            receiving.write(content.encode())
            key = receiving.finish().upload_id
        event = gr.SelectData(None, {"index": 0, "value": {"upload": key}})
        return key, page.look_at("bench", event, rhea)[6:]

    key, (asked, text, verdict) = look(f"id,question,answer\n{first},?,7\n{second},?,8\n")
    assert (asked["value"], text["value"]) == ("id", "answer")
    assert [value for _label, value in asked["choices"]] == ["", "id", "question", "answer"]
    assert text["choices"] == ["id", "question", "answer"]
    total = 2 + len(others)
    assert f"a.csv is uploaded. All 2 answers fit questions of the benchmark, which has {total}." in verdict
    page.store_answers(rhea, key, "bench", "csv", "gpt-x", "mine", "id", "answer", False)
    with reading(engine) as session:
        (job,) = job_store.list_jobs(session, user_id=rhea.username)
    assert job.arguments["columns"] == {"instance_id": "id", "text": "answer"}
    _, (_asked, _text, verdict) = look(f"id,answer\n{first},7\nnone,8\n")
    assert "expected the id of an instance of the benchmark, or its whole question" in verdict
    assert "name the right benchmark" in verdict


def test_a_picture_is_no_text_file_whatever_its_name(engine: Engine, rhea: Any, tmp_path: Path) -> None:
    uploads, content = Uploads(tmp_path), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
    with uploads.begin(owner=rhea.username, name="picture.zip", size=len(content)) as receiving:
        receiving.write(content)
        key = receiving.finish().upload_id
    event = gr.SelectData(None, {"index": 0, "value": {"upload": key}})
    message, upload, form_, *_ = UploadHandlers(Store(engine), uploads).look_at("", event, rhea)
    assert ">picture.zip is a picture; expected a table as CSV or JSON Lines; save the table so" in message
    assert (upload, form_["visible"]) == ("", False)
