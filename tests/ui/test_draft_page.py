"""The drafts page's actions on a real database, called as their routes call them."""

import json
from typing import Any

import orjson
import pytest
from sqlalchemy import Engine, select

from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AuditRow, DraftRow, TemplateRow
from clinicnum.db.work.bank import template_versions
from clinicnum.errors import InputError
from clinicnum.templates.fault_messages import NAMES
from clinicnum.templates.packaged_banks import named_bank
from clinicnum.templates.parse_template import content_of
from tests.clinicnum.faulty import FAULTS
from tests.clinicnum.sound_templates import SOUND
from tests.ui.calling import call_action
from tests.ui.draft_desk import ASKED, Desk, make_desks


@pytest.fixture
def desks(engine: Engine) -> dict[str, Desk]:
    return make_desks(engine)


def test_a_draft_is_begun_looked_at_saved_weighed_and_sent(desks: dict[str, Desk]) -> None:
    cora = desks["cora"]
    draft = cora("create", content={})["draft"]
    assert cora("load")["drafts"][0]["id"] == draft["id"]
    empty = cora("check", content={})
    assert {one["path"][0] for one in empty["faults"]} == {"wording", "tree", "source"}
    looked = cora("check", content=ASKED)
    assert (looked["faults"], looked["sound"]) == ([], True)
    filled = {one["path"][0]: one["value"] for one in looked["filled"]}
    assert filled["id"] == "aggregation.heart_rate_above_104_bpm"
    first = looked["preview"][0]
    assert [one["representation"] for one in first] == ["structured", "templated", "note"]
    assert all(one["question"].endswith("Answer with a whole number.") for one in first)
    assert first[0]["worked"]
    (drawn,) = (part for part in first[0]["context"] if "rows" in part)
    assert "heart rate" in " ".join(drawn["columns"]).lower()
    assert {len(row) for row in drawn["rows"]} == {len(drawn["columns"])}, "no drawn lines"
    assert [list(part) for part in first[2]["context"]] == [["text"]]
    weighed = cora("try_out", content=ASKED)
    assert weighed["trial"]["holds"]
    assert weighed["trial"]["counts"][0] == ["valid, structured", "200"]
    content = {**ASKED, **filled}
    assert cora("save", draft=draft["id"], revision=1, content=content)["saved"] == {"revision": 2}
    sent = cora("submit", draft=draft["id"], revision=2)
    assert sent["message"]["text"].startswith("aggregation.heart_rate_above_104_bpm version 1 is in the bank")
    assert sent["draft"]["status"] == "submitted"
    refused = cora("save", draft=draft["id"], revision=2, content={})
    assert "was sent to review" in refused["message"]["text"]
    assert refused["theirs"]["content"]["source"] == "our own"


def test_the_second_of_two_is_told_who_saved_and_gets_what_they_saved(desks: dict[str, Desk]) -> None:
    cora, dan = desks["cora"], desks["dan"]
    draft = cora("create", content={})["draft"]["id"]
    cora("save", draft=draft, revision=1, content={"source": "Cora's"})
    told = dan("save", draft=draft, revision=1, content={"source": "Dan's"})
    assert told["message"]["text"].startswith("Cora saved this draft at")
    assert (told["theirs"]["changed_by"], told["theirs"]["revision"]) == ("cora", 2)
    assert told["theirs"]["content"] == {"source": "Cora's"}
    fork = dan("create", content={"source": "Dan's"}, from_draft=draft)["draft"]
    assert fork["content"] == {"source": "Dan's"}
    assert fork["id"] != draft


def test_a_version_of_the_bank_is_put_right_in_the_next_one(desks: dict[str, Desk], engine: Engine) -> None:
    cora = desks["cora"]
    name = "arithmetic.pulse_pressure"
    with writing(engine) as session:
        template_versions.add_templates(session, [one for one in named_bank("base") if one.id == name])
    draft = cora("create", template=name, version=1)["draft"]
    assert draft["facts"][1]["text"] == f"Puts right {name} version 1"
    whole = next(one for one in named_bank("all") if one.id == name)
    assert draft["content"] == content_of(whole)
    same = cora("submit", draft=draft["id"], revision=1)
    assert same["message"]["text"].startswith(f"Version 1 of {name} says just the same; change something")
    cora("save", draft=draft["id"], revision=1, content={**draft["content"], "source": "mended"})
    sent = cora("submit", draft=draft["id"], revision=2)
    assert sent["message"]["text"].startswith(f"{name} version 2")
    with reading(engine) as session:
        assert template_versions.find_version(session, name, 1).status == "unreviewed"


def test_a_newer_version_is_shown_beside_the_draft_which_then_goes_on_from_it(
    desks: dict[str, Desk], engine: Engine
) -> None:
    cora, dan = desks["cora"], desks["dan"]
    name = "arithmetic.pulse_pressure"
    with writing(engine) as session:
        template_versions.add_templates(session, [one for one in named_bank("base") if one.id == name])
    hers, his = (desk("create", template=name, version=1)["draft"] for desk in (cora, dan))
    cora("save", draft=hers["id"], revision=1, content={**hers["content"], "source": "Cora's"})
    cora("submit", draft=hers["id"], revision=2)
    with writing(engine) as session:
        row = template_versions.find_version(session, name, 2)
        template_versions.set_status(session, row, "in_review", actor="command line", why={})
    told = dan("submit", draft=his["id"], revision=1)
    assert "version 2 of arithmetic.pulse_pressure was added since" in told["message"]["text"].lower()
    theirs = told["theirs"]
    assert theirs["newer"]["href"] == f"/bank/?template={name}&version=2"
    assert theirs["begun_from"] == his["content"]
    assert [key for key, value in theirs["content"].items() if value != his["content"][key]] == ["source"]
    assert theirs["content"]["source"] == "Cora's"
    gone_on = dan("rebase", draft=his["id"], revision=1, version=2)["draft"]
    assert gone_on["content"] == his["content"]
    assert gone_on["facts"][1]["text"] == f"Puts right {name} version 2"
    cora("save", draft=his["id"], revision=1, content={**his["content"], "source": "Dan's"})
    assert dan("submit", draft=his["id"], revision=2)["message"]["text"].startswith(f"{name} version 3")


def test_what_is_refused_of_the_draft_as_it_stands_shows_no_other(
    desks: dict[str, Desk], engine: Engine
) -> None:
    cora = desks["cora"]
    whole = content_of(next(one for one in named_bank("base") if one.id == "arithmetic.pulse_pressure"))
    draft = cora("create", content={**whole, "id": "arithmetic.gap"})["draft"]["id"]
    cora("submit", draft=draft, revision=1)
    assert cora("take_back", draft=draft)["draft"]["sent"] is True
    cora("save", draft=draft, revision=1, content={**whole, "id": "arithmetic.gap_b"})
    told = cora("submit", draft=draft, revision=2)
    assert "keeps that id" in told["message"]["text"]
    assert "theirs" not in told


def test_what_gradio_could_not_send_back_is_not_kept(desks: dict[str, Desk], engine: Engine) -> None:
    cora = desks["cora"]
    for text in ("- id: a.b\n  steps: 999999999999999999999", '- id: a.b\n  source: "\\ud800"'):
        looked = cora("check", yaml=text)
        assert set(looked) == {"yaml_error", "message"}, looked
        orjson.dumps(looked)
    assert cora("create", content={"steps": 10**20})["message"]["tone"] == "bad"
    with pytest.raises(InputError, match="cannot be read as JSON"):
        cora("create", content={"wording": ["\ud83d"]})
    orjson.dumps(cora("load"))
    with reading(engine) as session:
        assert session.scalars(select(DraftRow)).all() == []


def test_what_the_bank_asks_already_is_named(desks: dict[str, Desk], engine: Engine) -> None:
    with writing(engine) as session:
        template_versions.add_templates(
            session, [one for one in named_bank("base") if one.operation == "aggregation"]
        )
    tree = json.loads(json.dumps(ASKED["tree"]).replace("104", "100"))
    found = desks["cora"]("try_out", content={**ASKED, "tree": tree})["alike"]
    assert found[0]["name"] == "aggregation.tachycardia version 1"
    assert found[0]["href"] == "/bank/?template=aggregation.tachycardia&version=1"


def test_form_and_yaml_say_the_same(desks: dict[str, Desk]) -> None:
    cora = desks["cora"]
    text = cora("to_yaml", content=ASKED)["yaml"]
    looked = cora("check", yaml=text)
    assert looked["content"] == ASKED
    assert looked["faults"] == []
    broken = cora("check", yaml=f"{text}\nwrong: [")
    assert broken["message"]["tone"] == "bad"
    assert "faults" not in broken
    assert "line" in broken["yaml_error"]


def test_an_empty_question_is_not_sent(desks: dict[str, Desk], engine: Engine) -> None:
    cora = desks["cora"]
    content = {**ASKED, "wording": [*ASKED["wording"], " "], "source": ""}
    looked = cora("check", content=content)
    assert [one["path"] for one in looked["faults"]] == [["wording", 1], ["source"]]
    filled = {one["path"][0]: one["value"] for one in looked["filled"]}
    draft = cora("create", content={**content, **filled})["draft"]["id"]
    assert cora("submit", draft=draft, revision=1)["message"]["text"].startswith("Wording.1: it is missing")
    with reading(engine) as session:
        assert session.get(TemplateRow, (filled["id"], 1)) is None


def _deep(levels: int) -> dict[str, Any]:
    made: dict[str, Any] = {"op": "absolute"}
    for _ in range(levels):
        made = {"op": "absolute", "of": made}
    return {"tree": {"op": "round", "of": made}}


DRAFT = {"draft": "<b>\0", "revision": 1, "version": 1}
HOSTILE: dict[str, dict[str, Any]] = {
    "a draft that is none": DRAFT | {"content": {}},
    "a content that is none": DRAFT | {"content": ["x"]},
    "yaml that bites itself": {"yaml": "a: &a [*a, *a]"},
    "a version that is none": {"template": "none\0", "version": 1},
}
UNREADABLE: dict[str, Any] = {
    "no dict": [],
    "a number": 7,
    "an unknown field": {"mood": "good"},
    "a content too deep": DRAFT | {"content": _deep(300)},
    "a revision beyond": {"draft": "x", "revision": 2**70, "content": {}},
}


def test_a_hostile_message_gets_one_line_and_changes_nothing(desks: dict[str, Desk], engine: Engine) -> None:
    cora = desks["cora"]
    for action in cora.page.actions():
        for case, message in HOSTILE.items():
            fields = action.message.model_fields
            sent = {key: value for key, value in message.items() if key in fields}
            needed = {key for key, field in fields.items() if field.is_required()}
            if action.name == "load" or not needed <= set(sent) or not sent:
                continue
            if (action.name, case) == ("create", "a draft that is none"):
                continue  # its content would be a new draft's
            reply = cora(action.name, **sent)
            if "faults" in reply:
                assert reply["faults"], case
            elif action.name != "to_yaml" or "message" in reply:
                assert reply["message"]["tone"] == "bad", (action.name, case)
                assert "\n" not in reply["message"]["text"], case
        for message in UNREADABLE.values():
            with pytest.raises(InputError, match=r"^Nothing was saved: [^\n]*try again\.$"):
                call_action(cora.page, action.name, cora.user_id, message)
    with reading(engine) as session:
        assert session.scalars(select(DraftRow)).all() == []


def test_who_may_not_curate_changes_nothing_even_past_authorization(
    desks: dict[str, Desk], engine: Engine
) -> None:
    draft = desks["cora"]("create", content=ASKED)["draft"]["id"]
    with reading(engine) as session:
        before = [row.model_dump() for row in session.scalars(select(AuditRow))]
    known = {"draft": draft, "revision": 1, "version": 1, "content": {"source": "mine"}}
    for action in desks["ada"].page.actions():
        if action.name in ("load", "check", "try_out", "to_yaml"):
            continue  # these change nothing
        sent = {key: value for key, value in known.items() if key in action.message.model_fields}
        reply = desks["ada"](action.name, **sent)
        assert "may not curate" in reply["message"]["text"] or "fill it in" in reply["message"]["text"]
    with reading(engine) as session:
        assert [row.model_dump() for row in session.scalars(select(AuditRow))] == before


EIGHT = (
    *("ties", "rounded_threshold", "missing_unit", "unfillable_slot"),
    *("two_roots", "unknown_vital", "divides_by_zero", "gives_answer_away"),
)


def test_a_wording_that_contradicts_its_rule_or_is_not_proven_is_told_beside_it(
    desks: dict[str, Desk],
) -> None:
    content = {
        **SOUND["value"],
        "wording": ["What was the heart rate at {time}?", "At {time}, which systolic?"],
    }
    told = desks["cora"]("check", content=content)
    (fault,), (note,) = told["faults"], told["notes"]
    assert (fault["path"], fault["name"]) == (["wording", 0], "The wording contradicts the rule")
    assert fault["message"].startswith("It says heart rate; the rule has systolic pressure")
    assert (note["path"], note["name"]) == (["wording", 1], "Not proven")
    assert not told["sound"]


def test_each_fault_is_named_beside_its_field_and_is_not_sent(desks: dict[str, Desk], engine: Engine) -> None:
    cora = desks["cora"]
    for rule in EIGHT:
        # A unit that follows from the tree is filled in by the form, so one is taken that does not.
        planted = next(
            one for one in FAULTS.values() if one.rule == rule and _is_told(cora, one.content, rule, one.path)
        )
        draft = cora("create", content=planted.content)["draft"]["id"]
        refused = cora("submit", draft=draft, revision=1)["message"]
        assert (refused["tone"], "draft" in refused) == ("bad", False), rule
        with reading(engine) as session:
            row = session.get_one(DraftRow, draft)
            assert (row.status, row.template_id) == ("open", None), rule
    with reading(engine) as session:
        assert session.scalars(select(TemplateRow)).all() == []


def _is_told(desk: Desk, content: dict[str, Any], rule: str, path: tuple[str | int, ...]) -> bool:
    name = NAMES[rule][:1].upper() + NAMES[rule][1:]
    told = [(one["path"], one["name"]) for one in desk("check", content=content)["faults"]]
    return (list(path), name) in told
