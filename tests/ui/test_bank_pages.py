"""The bank and failures pages' handlers on a real database, called as the pages call them."""

from collections.abc import Callable, Iterator
from dataclasses import fields
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import Engine

from clinicnum.annotations.curation.bank_page_types import PAGE
from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import TemplateRow
from clinicnum.db.work.bank import template_versions
from clinicnum.db.work.drafts import draft_sources, drafts
from clinicnum.errors import ClinicnumError, InputError
from clinicnum.ui.components.markdown_links import escape_markdown
from clinicnum.ui.pages.bank import statistics_view, view
from clinicnum.ui.pages.bank.details_panel import DetailsPanel, details_values
from clinicnum.ui.pages.bank.page import BankHandlers
from clinicnum.ui.pages.draft.view import draft_view
from clinicnum.ui.pages.failures.drafts_made import next_version_of
from clinicnum.ui.pages.failures.page import WIDTHS, FailuresHandlers
from clinicnum.ui.pages.failures.view import COLUMNS
from tests.db.curating import SLIP, add_graded, closed_study, of_the_bank, upheld
from tests.ui.new_study_form import stored

SUM = "arithmetic.bp_sum"
FIRST = f"{SUM} 1"
ALL = ("", "", "", "standing", "id", [])
"""The bank's fields as they are at first."""


def request(username: str, **query: str) -> Any:
    """The part of Gradio's request that the handlers read."""
    return SimpleNamespace(username=username, query_params=query)


def details(answer: tuple[Any, ...]) -> dict[str, Any]:
    """What an answer that ends with a version's details shows, by the component's name."""
    names = [
        *("panel", "heading", "facts", "begin", "attempt", "retirement", "reason", "statistics", "runs"),
        *("trial", "rejected", "versions", "before", "changes", "related", "used"),
    ]
    return dict(zip(names, answer[-len(names) :], strict=True))


def test_the_bank_is_counted_listed_searched_opened_and_compared(engine: Engine) -> None:
    cur = request(closed_study(engine)["cur"])
    page = BankHandlers(Store(engine))
    said, number, table, chosen, *_ = page.load(cur)
    assert (said, number["visible"], table["label"]) == ("", False, "Versions 1 to 3 of 3")
    row = dict(zip(view.COLUMNS, table["value"][0], strict=True))
    assert (row["Template"], row["Status"], row["Instances"]) == (SUM, "unreviewed", "2")
    assert row["Contests"] == "none on 2 labelled"
    assert row["Discrimination"] == "nothing to compare with: no run answered anything else"
    assert (f"{SUM} version 1", FIRST) in chosen["choices"]
    found = page.search("minus", "", "", "standing", "accuracy", [])[2]
    assert [one[0] for one in found["value"]] == ["arithmetic.pulse_pressure"]
    open_ = details(page.open_version(FIRST))
    computed = "Systolic pressure at {time} + diastolic pressure at {time}, rounded to 0 decimals."
    assert ["Computation", computed] in open_["facts"]
    assert open_["used"]["value"][1:] == [["6 labels in study labelled"]]
    assert [one[0] for one in open_["runs"]["value"]] == ["Model 1"], "decisions are due"
    with writing(engine) as session:
        old = template_versions.template_of(template_versions.find_version(session, SUM, 1))
        changed = old.model_copy(update={"version": 2, "status": "draft", "wording": ("Sum at {time}?",)})
        template_versions.put_version(session, changed, author=cur.username)
    assert details(page.open_version(f"{SUM} 2"))["before"]["choices"] == ["1"]
    _, changes = page.compare(f"{SUM} 2", "1")
    assert ("Wording", True) in [(part, "Sum at {time}?" in text) for part, text in changes["value"]]
    assert next(text for part, text in changes["value"] if part == "Answers").startswith("None, on ")


def test_the_address_names_a_version_and_a_row_is_clicked(engine: Engine) -> None:
    cur = request(closed_study(engine)["cur"], template=SUM, version="1")
    page = BankHandlers(Store(engine))
    loaded = page.load(cur)
    assert (loaded[0], loaded[3]["value"]) == ("", FIRST)
    assert details(loaded)["heading"] == f"## [{SUM} version 1](/bank/?template={SUM}&version=1)".replace(
        "_", r"\_", 1
    )
    missing = page.load(request(cur.username, template="<b>none", version="1"))
    assert "The bank has no &lt;b&gt;none version 1" in missing[0]
    assert (missing[2]["label"], details(missing)["panel"]["visible"]) == ("Versions 1 to 3 of 3", False)
    clicked: Any = SimpleNamespace(row_value=loaded[2]["value"][0])
    said, key, *_ = page.select_row(clicked)
    assert (said, key) == ("", FIRST)


def test_what_shows_a_version_has_a_value_for_each_component(engine: Engine) -> None:
    closed_study(engine)
    filled = {field.name for field in fields(DetailsPanel)} - {"retire"}  # a button that stays as it is
    answer = BankHandlers(Store(engine)).open_version(FIRST)
    assert len(details_values(None)) == len(answer) - 1 == len(filled)


def test_a_version_is_tried_renewed_and_retired_by_its_curator(engine: Engine) -> None:
    cur = request(closed_study(engine)["cur"])
    page = BankHandlers(Store(engine))
    assert details(page.open_version(FIRST))["trial"] == statistics_view.NO_TRIAL
    assert "200 accepted" in details(page.try_version(FIRST))["trial"]
    _, path = page.begin_version(FIRST, cur)
    with reading(engine) as session:
        assert drafts.load(session, path.removeprefix("/draft/?draft=")).base == (SUM, 1)
    with pytest.raises(InputError, match="say why"):
        page.retire(FIRST, " ", cur)
    retired = page.retire(FIRST, "a better one", cur)
    assert "is retired" in retired[0]
    assert dict(map(tuple, details(retired)["facts"]))["Status"].startswith("retired")
    assert details(retired)["retirement"]["visible"] is False
    assert page.recount(*ALL, 1)[2]["label"] == "Versions 1 to 2 of 2"


def test_pages_of_fifty_are_turned(engine: Engine) -> None:
    with writing(engine) as session:
        session.add_all(
            TemplateRow(template_id=f"retrieval.t{number:03}", version=1, status="draft", payload={})
            for number in range(PAGE + 1)
        )
    page = BankHandlers(Store(engine))
    _, number, table, *_ = page.load(request("nobody"))
    assert (number["maximum"], table["label"]) == (2, "Versions 1 to 50 of 51")
    _, number, table, _ = page.turn(*ALL, 2)
    assert (number["value"], table["label"], len(table["value"])) == (2, "Versions 51 to 51 of 51", 1)


# ---------- failures

KEEP = ("", "", "", "")
"""No filter."""


def listed(answer: tuple[Any, ...]) -> dict[str, Any]:
    """What an answer that lists failures shows, by the component's name."""
    names = ["said", "kind", "operation", "code", "template", "only", "every", "number", "table", "chosen"]
    return dict(zip(names, answer, strict=False)) | {"panel": answer[10], "rows": answer[8]["value"]["data"]}


def counts(answer: tuple[Any, ...]) -> list[str]:
    return [label for label, _ in listed(answer)["kind"]["choices"]]


def test_all_columns_of_each_list_of_failures_are_in_sight() -> None:
    assert WIDTHS.keys() == COLUMNS.keys()
    for kind, widths in WIDTHS.items():
        assert len(widths) == len(COLUMNS[kind])
        assert sum(int(one.removesuffix("px")) for one in widths) <= 1206, "the room in a window of 1280 px"


def test_failures_are_grouped_narrowed_and_made_into_drafts(engine: Engine) -> None:
    people = closed_study(engine)
    cur = request(people["cur"])
    page = FailuresHandlers(Store(engine))
    board = page.load(cur)
    assert counts(board) == ["Similar failures (1)", "Upheld contests (0)", "Individual failures (2)"]
    (cluster,) = listed(board)["rows"]
    assert cluster[:3] == ["Arithmetic slip", "arithmetic", "2"]
    assert cluster[-2] == "0", "no draft yet"
    clicked: Any = SimpleNamespace(row_value=cluster)
    said, key, panel, facts, examples, *rest = page.select_row("clusters", clicked, cur)
    assert (said, key, panel["visible"]) == ("", cluster[-1], True)
    assert facts["label"] == "2 failures: Arithmetic slip, in arithmetic"
    assert f"({SLIP})" in facts["value"][0][1]
    assert "only the annotator wrote this" not in str((board, facts, examples, rest))
    _, path = page.create_template("clusters", key, cur)
    draft = path.removeprefix("/draft/?draft=")
    with reading(engine) as session:
        begun = drafts.load(session, draft)
    assert {one.kind for one in begun.sources} == {"cluster"}
    facts = draft_view(begun)["facts"]
    assert [SLIP in str(one) for one in facts].count(True) == 1, "the cause to provoke is said once"
    assert facts[-1]["text"] == "Made from 2 failures of a cluster:"
    assert [one["text"] for one in facts[-1]["links"]] == ["failure 1", "failure 2"]
    assert all(one["href"].startswith("/failures/?study=") for one in facts[-1]["links"])
    alone = listed(page.show("failures", *KEEP, cur))
    first = alone["rows"][0]
    item = first[-1].partition(":")[2]
    narrowed = page.load(request(cur.username, failure=item))
    assert [one[-1] for one in listed(narrowed)["rows"]] == [first[-1]]
    assert (listed(narrowed)["only"]["value"], listed(narrowed)["panel"]["visible"]) == (item, True)
    assert f"/draft/?draft={draft}" in narrowed[-5]
    assert [one["visible"] for one in narrowed[-3:]] == [True, True, False], "templates, and no item"
    _, again = page.create_version("failures", first[-1], cur)
    assert again != path
    none = page.show("clusters", "retrieval", "", "", "", cur)
    assert counts(none) == ["Similar failures (0)", "Upheld contests (0)", "Individual failures (0)"]
    assert "No failure matches these filters." in none[0]
    assert counts(page.show_all("clusters", cur)) == counts(page.load(cur))


def test_of_failures_of_several_templates_it_is_said_which_one_a_new_version_begins_with(
    engine: Engine,
) -> None:
    closed_study(engine)
    with reading(engine) as session:
        one, other = draft_sources.labelled_failures(session)
    assert next_version_of([one, other]) == ""
    said = next_version_of([one.model_copy(update={"template_id": "arithmetic.other"}), one, other])
    begun = escape_markdown(one.template_id)
    assert f"begins with {begun}, of which 2 of the 3 are, and of no other more" in said


def test_an_upheld_contest_leads_to_the_next_version(engine: Engine) -> None:
    cur = request(upheld(engine)["cur"])
    page = FailuresHandlers(Store(engine))
    (one,) = listed(page.show("contests", *KEEP, cur))["rows"]
    _, panel, facts, *_ = page.choose("contests", one[-1], cur)
    assert panel["visible"] is True
    assert ["Proposed gold answer", "7"] in facts["value"]
    assert page.create_version("contests", one[-1], cur)[1].startswith("/draft/?draft=")
    found = page.load(request(cur.username, template=one[1]))
    assert listed(found)["kind"]["value"] == "contests", "the address leads to what there is"
    assert counts(found) == ["Similar failures (0)", "Upheld contests (1)", "Individual failures (0)"]


def hostile(engine: Engine, who: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Calls that no page makes."""
    bank, failures = BankHandlers(Store(engine)), FailuresHandlers(Store(engine))
    keys = (
        None,
        7,
        [],
        {},
        "",
        "x",
        "<b> 1",
        "\x00 1",
        f"{SUM} ٣",
        f"{SUM} -1",
        f"{SUM} {2**70}",
        "x" * 300 + " 1",
    )
    for key in keys:
        yield f"open {key!r}", lambda key=key: bank.open_version("" if key is None else key)
        yield f"begin {key!r}", lambda key=key: bank.begin_version(key, who)
        yield f"try {key!r}", lambda key=key: bank.try_version(key)
        yield f"retire {key!r}", lambda key=key: bank.retire(key, "old", who)
    for before in (-1, "x", None, 9, [1]):
        yield f"compare {before!r}", lambda before=before: bank.compare(FIRST, before)
    for row in (None, [], "x", [SUM], [1, 2], [{}, 1]):
        clicked: Any = SimpleNamespace(row_value=row)
        yield f"bank row {row!r}", lambda clicked=clicked: bank.select_row(clicked)
        yield f"failures row {row!r}", lambda clicked=clicked: failures.select_row("clusters", clicked, who)
    for page in (0, -1, 1.5, "x", 10**9):
        yield f"bank page {page!r}", lambda page=page: bank.turn(*ALL, page)
        yield f"failures page {page!r}", lambda page=page: failures.turn("clusters", *KEEP, page, who)
    yield "an order", lambda: bank.search("", "", "", "standing", "id; DROP", [])
    yield "a text", lambda: bank.search(["x"], "", "", "standing", "id", [])
    yield "a kind", lambda: failures.show("moods", *KEEP, who)
    for kind, key in (("failures", "\x00"), ("contests", "x"), ("clusters", ""), (1, "x")):
        yield f"make {kind} {key!r}", lambda kind=kind, key=key: failures.create_template(kind, key, who)
        yield f"choose {kind} {key!r}", lambda kind=kind, key=key: failures.choose(kind, key, who)


def test_a_hostile_call_gets_one_line_and_changes_nothing(engine: Engine) -> None:
    with writing(engine) as session:
        template_versions.add_templates(session, of_the_bank())
    before = stored(engine)
    for case, call in hostile(engine, request("nobody")):
        with pytest.raises(ClinicnumError) as refused:
            call()
        assert "\n" not in str(refused.value), case
    assert stored(engine) == before


def test_who_may_not_curate_changes_nothing_even_past_the_gate(engine: Engine) -> None:
    people = closed_study(engine)
    before = stored(engine)
    bank, failures = BankHandlers(Store(engine)), FailuresHandlers(Store(engine))
    for name in ("ann", "nobody"):
        who = request(people.get(name, name))
        key = listed(failures.show("clusters", *KEEP, who))["rows"][0][-1]
        for call in (
            lambda who=who: bank.begin_version(FIRST, who),
            lambda who=who: bank.retire(FIRST, "old", who),
            lambda who=who, key=key: failures.create_template("clusters", key, who),
        ):
            with pytest.raises(ClinicnumError):
                call()
    assert stored(engine) == before


def test_statistics_that_would_take_long_are_counted_when_asked(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_graded(engine, 1)
    monkeypatch.setattr("clinicnum.db.work.bank.template_health.CHEAP", 3)
    page, root = BankHandlers(Store(engine)), request("nobody")
    said, _, table, *_ = page.load(root)
    instances = view.COLUMNS.index("Instances")
    assert (view.STALE in said, table["value"][0][instances]) == (True, "")
    assert "Recounted" in page.recount(*ALL, 1)[0]
    said, _, table, *_ = page.load(root)
    assert (said, table["value"][0][instances]) == ("", "4")
