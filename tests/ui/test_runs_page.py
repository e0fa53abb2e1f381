"""The runs page's handlers on a real database, called as Gradio calls them."""

from dataclasses import replace
from typing import Any

import gradio as gr
import pytest
from sqlalchemy import Engine

from clinicnum.annotations.study_inputs import Material
from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import reading, writing
from clinicnum.db.work.accounts import users
from clinicnum.db.work.jobs import job_store
from clinicnum.db.work.runs import stored_runs
from clinicnum.errors import ClinicnumError
from clinicnum.ui.pages.runs import launch_view
from clinicnum.ui.pages.runs.compare_runs_tab import CompareHandlers
from clinicnum.ui.pages.runs.launch_run_tab import LaunchHandlers, LaunchValues
from clinicnum.ui.pages.runs.page import RunsHandlers
from tests.db.examples import MODEL, material
from tests.db.test_run_work import counted
from tests.ui.gradio_request import Request
from tests.ui.runs_example import researcher_with_runs


@pytest.fixture
def rhea(engine: Engine) -> Any:
    return researcher_with_runs(engine)


def keys(engine: Engine) -> dict[str, str]:
    with reading(engine) as session:
        return {one.run_id: one.run for one in stored_runs.list_runs(session)}


def clicked(*cells: Any) -> Any:
    """A row that was clicked."""
    return gr.SelectData(None, {"index": [0, 0], "value": None, "row_value": list(cells)})


def test_runs_are_listed_with_accuracy_and_the_chosen_one_is_shown_and_named(
    engine: Engine, rhea: Any
) -> None:
    page, run = RunsHandlers(Store(engine)), keys(engine)["two"]
    _, hint, table, choice, visible, steps, label, accuracy, notes, made = page.load(rhea)
    assert "A run is what one model answered" in hint
    assert table["value"][0][:6] == [f"{MODEL} (one)", MODEL, "bench", 16, 16, "75.0 % (48 to 91 %)"]
    assert choice["choices"] == [(f"{MODEL} (one)", keys(engine)["one"]), (f"{MODEL} (two)", run)]
    assert (visible["visible"], label, accuracy["label"]) == (True, "", f"Accuracy of {MODEL} (one)")
    assert ["Scored as", "12 correct, 4 incorrect"] in made
    assert f'href="/studies/?run={keys(engine)["one"]}"' in steps
    assert "16 scored; left out: 0" in notes
    shown = page.show(run, rhea)
    assert page.choose(clicked(f"{MODEL} (two)"), rhea) == ("", run, *shown[1:])
    message, _, table, choice, _, _, label, accuracy, *_ = page.rename(run, " <b>two ", rhea)
    assert "called &lt;b&gt;two now" in message
    assert (table["value"][1][0], choice["value"], label) == ("<b>two", run, "<b>two")
    assert accuracy["label"] == "Accuracy of <b>two"
    rhea.query_params["run"] = run
    assert (page.load(rhea)[0], page.load(rhea)[3]["value"]) == ("", run)
    rhea.query_params["run"] = "no<b>"
    assert "There is no run “no&lt;b&gt;”; the newest is shown." in page.load(rhea)[0]
    assert "no name of its own" in page.rename(run, "", rhea)[0]


def test_hostile_values_get_one_line(engine: Engine, rhea: Any) -> None:
    page = RunsHandlers(Store(engine))
    values = len(LaunchValues.model_fields)
    for hostile in (None, {}, "<script>x", 7, ["x"], "x" * 999):
        for call in (
            lambda value: page.show(value, rhea),
            lambda value: page.choose(clicked(value), rhea),
            lambda value: page.rename(value, "x", rhea),
            lambda value: page.rename(keys(engine)["one"], {"x": value}, rhea),
            lambda value: CompareHandlers(Store(engine)).compare([value], rhea),
            lambda value: LaunchHandlers(Store(engine), tuple).run(rhea, *[value] * values),
        ):
            with pytest.raises(ClinicnumError) as caught:
                call(hostile)
            assert "\n" not in str(caught.value)


def test_without_a_run_the_page_says_how_to_come_by_one(engine: Engine) -> None:
    with writing(engine) as session:
        who: Any = Request(users.add_user(session, name="rhea", role="researcher", password=None).user_id)
    _, hint, table, choice, details, *_ = RunsHandlers(Store(engine)).load(who)
    assert "There is no run yet" in hint
    who.query_params["run"] = "none"
    assert "There is no run “none”." in RunsHandlers(Store(engine)).load(who)[0]
    assert (table["value"], choice["visible"], details["visible"]) == ([], False, False)
    assert CompareHandlers(Store(engine)).load_benchmarks(who)[1]["value"] is None
    assert LaunchHandlers(Store(engine), tuple).load_choices(who)[2]["value"] is None


def only_variants() -> Material:
    made = material(wrong=12)
    rewritten = tuple(one.model_copy(update={"variant": "numeric.relevant"}) for one in made.instances)
    return replace(made, instances=rewritten)


def test_a_run_that_answered_only_variants_has_no_accuracy(engine: Engine) -> None:
    with writing(engine) as session:
        stored_runs.add_runs(session, material=only_variants())
        who: Any = Request(users.add_user(session, name="rhea", role="researcher", password=None).user_id)
    *_, table, _, _, _, _, accuracy, notes, _ = RunsHandlers(Store(engine)).load(who)
    assert table["value"][0][5] == "–"
    assert not accuracy["visible"]
    assert "all are variants" in notes


def test_runs_are_compared_in_words_and_tables(engine: Engine, rhea: Any) -> None:
    page, runs = CompareHandlers(Store(engine)), keys(engine)
    _, benchmark, choice = page.load_benchmarks(rhea)
    assert (benchmark["choices"], benchmark["value"]) == ([("bench", "bench")], "bench")
    assert choice["value"] == [runs["one"], runs["two"]], "two runs are compared at once"
    assert page.choose_benchmark("none")[1]["choices"] == []
    message, shown, findings, accuracy, differences = page.compare([runs["two"], runs["one"]], rhea)
    assert (message, shown["visible"]) == ("", True)
    assert (
        f"{MODEL} (one) is right more often than {MODEL} (two), by 50.0 percentage points: 8 questions"
        in findings
    )
    assert "the 16 questions that all 2 runs answered" in findings
    assert accuracy["headers"][3:5] == [f"{MODEL} (two)", f"{MODEL} (one)"]
    assert accuracy["data"][-1][:5] == ["all", "all", 16, "25.0 % (9 to 52 %)", "75.0 % (48 to 91 %)"]
    assert differences[-1][2:] == ["all", 16, 0, 8, "-50.0", "-77.8 to -22.2", "0.008"]
    with pytest.raises(ClinicnumError, match="takes 2 to 8 runs, not 0"):
        page.compare([], rhea)


def form(**given: Any) -> list[Any]:
    """The form's values, as the browser sends them."""
    empty = {name: one.default for name, one in LaunchValues.model_fields.items()} | {"benchmark": "bench"}
    return list((empty | {"consent": []} | given).values())


SERVER = {"client": "openai", "address": "https://models.example", "served": "llama", "key": "LAB_API_KEY"}


def test_a_run_and_its_dry_run_are_asked_for(engine: Engine, rhea: Any) -> None:
    page = LaunchHandlers(Store(engine), lambda: [("small", "/models/small")])
    _, tab, benchmark, folder, outlook = page.load_choices(rhea)
    assert outlook.startswith("Launching asks small all questions of bench: 16 answers")
    assert (benchmark["value"], folder["value"]) == ("bench", "/models/small")
    assert "selected" not in tab
    rhea.query_params["benchmark"] = "bench"
    assert page.load_choices(rhea)[1]["selected"] == "launch", "from a link on another page"
    folder = {"folder": "/models/small", "limit": 20, "label": "try", "max_new_tokens": 64}
    assert page.dry_run(rhea, *form(**folder))[1] != page.run(rhea, *form(**folder))[1], "ids of two jobs"
    with reading(engine) as session:
        asked = [one.arguments for one in job_store.list_jobs(session, user_id=rhea.username)]
    assert sorted(one["dry_run"] for one in asked) == [False, True]
    for one in asked:
        assert (one["model"], one["limit"], one["label"], one["max_new_tokens"]) == (
            "/models/small",
            20,
            "try",
            64,
        )


def test_what_a_launch_asks_is_said_before_and_that_the_model_has_answered_already(
    engine: Engine, rhea: Any
) -> None:
    page = LaunchHandlers(Store(engine), tuple)
    _, fresh = page.tell("bench", "local", "/models/small", "", rhea)
    assert "Launching asks small all questions of bench: 16 answers, unless you choose fewer." in fresh
    assert "before" not in fresh
    again = "It has answered this benchmark before: 2 runs of it are stored"
    assert again in page.tell("bench", "local", f"/models/{MODEL}", "", rhea)[1]
    assert again in page.tell("bench", "openai", "", MODEL, rhea)[1]
    assert page.tell("none", "local", "/models/small", "", rhea) == ("", "")
    assert page.tell("bench", "openai", "/models/small", "", rhea) == ("", "")


def test_the_consent_for_a_server_names_benchmark_and_host(engine: Engine, rhea: Any) -> None:
    page = LaunchHandlers(Store(engine), tuple)
    for client, address, asks in (
        ("local", "https://models.example", False),
        ("openai", "", False),
        ("openai", "http://127.0.0.1:8000", False),
        ("openai", "https://models.example", True),
    ):
        _, local, server, consent = page.adapt("bench", client, address, rhea)
        assert (local["visible"], server["visible"]) == (client == "local", client == "openai")
        assert consent["visible"] is asks
    ((label, needed),) = consent["choices"]
    assert label.startswith("The records of bench may be sent to models.example:")
    with pytest.raises(ClinicnumError, match="are not known to be open"):
        page.run(rhea, *form(**SERVER))
    with pytest.raises(ClinicnumError, match="are not known to be open"):
        page.run(rhea, *form(**SERVER | {"address": "https://other.example"}, consent=[needed]))
    with pytest.raises(ClinicnumError, match="The key itself must not be entered"):
        page.run(rhea, *form(**SERVER | {"key": "sk-0123456789abcdef"}, consent=[needed]))
    page.run(rhea, *form(**SERVER, consent=[needed]))
    with reading(engine) as session:
        (job,) = job_store.list_jobs(session, user_id=rhea.username)
    assert (job.arguments["allow_remote"], job.arguments["api_key_env"]) == (True, "LAB_API_KEY")


def test_a_job_s_result_is_shown_as_text() -> None:
    shown = launch_view.result_view({"estimate": ["<b>12 tokens"]})
    assert "&lt;b&gt;12 tokens" in shown
    unread = {"statuses": {"unparsable": 5, "correct": 1}, "unread_because": "several <b>", "runs": ["r1"]}
    shown = launch_view.result_view(unread)
    assert "5 answers could not be read and count as not right. Most often: " in shown
    assert "several &lt;b&gt;" in shown
    assert '<a href="/help/scoring">How answers are read</a>' in shown
    assert 'href="/explore/?runs=r1&amp;where=status%3Dunparsable"' in shown
    shown = launch_view.result_view({"statuses": {"correct": 2, "incorrect": 1}})
    assert "could not be read" not in shown
    assert "The answers are scored: 2 correct, 1 incorrect." in shown
    shown = launch_view.result_view({"statuses": {"correct": 2}, "generations": 2, "unanswered": 1})
    assert "2 of 2 answers fit the questions of the benchmark. 1 of its 3 questions have no answer." in shown
    assert launch_view.result_view({}) == ""


def test_a_run_by_a_prompt_of_ones_own_shows_what_the_prompt_says(engine: Engine, rhea: Any) -> None:
    prompt = {
        "name": "brief",
        "version": 3,
        "system": "Be brief.",
        "wording": "{context} {question} {options}",
    }
    asked = counted("asked", wrong=2, right=2)
    own = {"prompt": prompt, "prompt_ids": ["brief v3"]}
    runs = tuple(replace(one, meta=one.meta | own) for one in asked.runs)
    with writing(engine) as session:
        stored_runs.add_runs(session, material=replace(asked, runs=runs))
    shown = RunsHandlers(Store(engine)).show(keys(engine)["asked"], rhea)
    rows = next(part for part in shown if isinstance(part, list) and ["Prompts", "brief v3"] in part)
    assert ["System text of the prompt", "Be brief."] in rows
    assert ["Form of the answer asked", "the usual one, by which answers are scored"] in rows


def test_what_nobody_asked_for_and_baselines_without_records_are_dashes(engine: Engine) -> None:
    made = counted("far", wrong=4, right=12)
    elsewhere = {"operation": "external", "representation": "external", "records": (), "evidence": ()}
    items = tuple(one.model_copy(update=elsewhere) for one in made.instances)
    meta = made.runs[0].meta
    with writing(engine) as session:
        run = replace(made.runs[0], meta=meta | {"client": "import"})
        stored_runs.add_runs(session, material=replace(made, instances=items, runs=(run,)))
        who: Any = Request(users.add_user(session, name="rhea", role="researcher", password=None).user_id)
    *_, accuracy, notes, _ = RunsHandlers(Store(engine)).load(who)
    (row,) = accuracy["value"]
    assert row[:5] == ["made elsewhere", "made elsewhere", 16, 16, "75.0 %"]
    assert (row[6], row[8:11]) == ("–", ["–", "–", "–"])
    assert row[11] == "6.2 %", "the most frequent answer needs no records"
    assert "nothing is known to have asked the model for the form" in notes
    assert "the questions have no records" in notes


def test_a_run_that_was_asked_for_the_form_has_no_dash(engine: Engine, rhea: Any) -> None:
    *_, accuracy, notes, _ = RunsHandlers(Store(engine)).load(rhea)
    assert "–" not in [row[6] for row in accuracy["value"]]
    assert "nothing is known to have asked" not in notes
    assert "no records" not in notes
