"""Drafts: begun, saved by two curators without loss, sent to review, discarded; what they came from."""

from typing import Any

import pytest
from sqlalchemy import Engine, select

from clinicnum.annotations.curation.draft_sources import Source
from clinicnum.annotations.curation.drafts import DEEPEST, LARGEST, StaleDraft
from clinicnum.annotations.judgement import Judgement
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AuditRow, ContestRow, StudyScoreRow, TemplateHealthRow, TemplateRow, UserRow
from clinicnum.db.work.accounts import users
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.audit.audit_log import verify_chain
from clinicnum.db.work.bank import template_versions
from clinicnum.db.work.drafts import draft_sources, drafts
from clinicnum.errors import Conflict, InputError, NotAllowed
from clinicnum.templates.packaged_banks import named_bank
from clinicnum.templates.parse_template import content_of
from tests.db.examples import add_users, open_study

PULSE = "arithmetic.pulse_pressure"
CONTENT: dict[str, Any] = {
    **content_of(next(one for one in named_bank("all") if one.id == PULSE)),
    "id": "arithmetic.gap_of_pressures",
    "wording": ["By how many mmHg does the systolic exceed the diastolic pressure at {time}?"],
}


@pytest.fixture
def people(engine: Engine) -> dict[str, str]:
    with writing(engine) as session:
        for name, role in (
            ("cora", "curator"),
            ("dan", "curator"),
            ("root", "admin"),
            ("ada", "adjudicator"),
        ):
            users.add_user(session, name=name, role=role, password=None)  # type: ignore[arg-type]
        return {row.name: row.id for row in session.scalars(select(UserRow))}


def begun(engine: Engine, author: str, content: dict[str, Any] | None = None, **more: Any) -> str:
    with writing(engine) as session:
        return drafts.begin(session, author=author, content=CONTENT if content is None else content, **more)


def saved(engine: Engine, draft: str, revision: int, actor: str, **fields: Any) -> int:
    with writing(engine) as session:
        content = {**CONTENT, **fields}
        return drafts.save(session, draft_id=draft, revision=revision, content=content, actor=actor)


def test_of_two_curators_on_one_draft_the_second_is_told_who_saved_and_nothing_is_overwritten(
    engine: Engine, people: dict[str, str]
) -> None:
    draft = begun(engine, people["cora"], {})
    assert saved(engine, draft, 1, people["cora"], source="Cora's") == 2
    with pytest.raises(StaleDraft, match=r"^cora saved this draft at .* UTC .* nothing was overwritten"):
        saved(engine, draft, 1, people["dan"], source="Dan's")
    with reading(engine) as session:
        found = drafts.load(session, draft)
    assert (found.content["source"], found.summary.revision) == ("Cora's", 2)
    assert (found.summary.changed_by, found.edited_by) == ("cora", ("cora",))
    assert saved(engine, draft, 2, people["dan"], source="Dan's, after looking") == 3
    with reading(engine) as session:
        found = drafts.load(session, draft)
        assert all(check.broken_at is None for check in verify_chain(session))
        logged = [row for row in session.scalars(select(AuditRow)) if row.action == "save_draft"]
    assert (found.summary.changed_by, found.edited_by) == ("dan", ("cora", "dan"))
    assert [(row.before, row.after) for row in logged][-1] == (
        {"draft": draft, "revision": 3, "source": "Cora's"},
        {"draft": draft, "revision": 3, "source": "Dan's, after looking"},
    )


def test_a_save_that_arrives_twice_is_one(engine: Engine, people: dict[str, str]) -> None:
    draft = begun(engine, people["cora"])
    for _ in range(2):
        assert saved(engine, draft, 1, people["cora"], source="once") == 2


def test_a_sound_draft_becomes_the_next_version_and_one_that_came_back_rewrites_it(
    engine: Engine, people: dict[str, str]
) -> None:
    with writing(engine) as session:
        template_versions.add_packaged_templates(session)
    content = {**CONTENT, "id": PULSE, "version": 77, "status": "validated"}
    draft = begun(engine, people["cora"], content, base=(PULSE, 1))
    with writing(engine) as session:
        assert drafts.submit(session, draft_id=draft, revision=1, actor=people["dan"]) == (PULSE, 2)
    with reading(engine) as session:
        row = template_versions.find_version(session, PULSE, 2)
        assert (row.status, row.author) == ("draft", people["cora"])
        assert drafts.load(session, draft).summary.version == (PULSE, 2)
        assert session.get_one(TemplateHealthRow, (PULSE, 2)).payload["trial"]["holds"] is True
    with pytest.raises(Conflict, match="was sent to review"):
        saved(engine, draft, 1, people["cora"], source="too late")
    with writing(engine) as session:
        drafts.take_back(session, draft_id=draft, actor=people["cora"])
    revision = saved(engine, draft, 1, people["cora"], id=PULSE, source="Said more clearly")
    with writing(engine) as session:
        assert drafts.submit(session, draft_id=draft, revision=revision, actor=people["cora"]) == (PULSE, 2)
    with reading(engine) as session:
        assert (
            template_versions.template_of(template_versions.find_version(session, PULSE, 2)).source
            == "Said more clearly"
        )
        assert template_versions.next_version(session, PULSE) == 3
    with writing(engine) as session:
        version = template_versions.find_version(session, PULSE, 2)
        template_versions.set_status(session, version, "in_review", actor=people["cora"], why={})
        with pytest.raises(Conflict, match="not waiting for its review"):
            drafts.take_back(session, draft_id=draft, actor=people["cora"])


FAULTY: dict[str, tuple[dict[str, Any], str]] = {
    "a slot that is none": ({"wording": ["How far apart at {when}?"]}, "wording"),
    "a vital that is none": (
        {"tree": {"op": "round", "of": {"op": "vital", "vital": "glucose", "at": "time"}}},
        "vital",
    ),
    "no source": ({"source": None}, "source"),
    "an id that is none": ({"id": "\0"}, "id"),
}


def test_a_draft_with_a_fault_is_not_sent_and_its_place_is_named(
    engine: Engine, people: dict[str, str]
) -> None:
    for fields, said in FAULTY.values():
        draft = begun(engine, people["cora"], {**CONTENT, **fields})
        with writing(engine) as session, pytest.raises(InputError, match=said):
            drafts.submit(session, draft_id=draft, revision=1, actor=people["cora"])
    with reading(engine) as session:
        assert {one.status for one in drafts.list_drafts(session)} == {"open"}
        assert session.scalars(select(TemplateRow)).all() == []


def test_a_draft_leads_to_its_failure_and_contest_and_they_lead_to_it(
    engine: Engine, people: dict[str, str]
) -> None:
    ann = next(user.user_id for user in add_users(engine) if user.name == "ann")
    open_study(engine)
    with writing(engine) as session:
        item = annotate.next_assignment(session, user_id=ann)
        assert item is not None
        annotate.submit(
            session,
            user_id=ann,
            assignment_id=item.assignment_id,
            revision=0,
            judgement=Judgement(response_judgement="acceptable", item_judgement="ambiguous", rationale="?"),
            active_ms=1,
        )
    with reading(engine) as session:
        (contest,) = session.scalars(select(ContestRow))
        answers = session.scalars(select(StudyScoreRow)).all()
    failed = next(one for one in answers if one.generation != contest.generation)
    sources = (
        Source(study_id=failed.study_id, generation=failed.generation, kind="failure"),
        Source(
            study_id=contest.study_id,
            generation=contest.generation,
            kind="contest",
            contest=contest.annotation_id,
        ),
    )
    draft = begun(engine, people["cora"], sources=sources, note="swapped operands", provokes="omission")
    with reading(engine) as session:
        found = drafts.load(session, draft)
        assert set(found.sources) == set(sources)
        assert (found.note, found.provokes) == ("swapped operands", "omission")
        made = draft_sources.drafts_made(session)
        for one in sources:
            assert [link.draft_id for link in made[one.study_id, one.generation]] == [draft]
    stranger = Source(
        study_id=failed.study_id, generation=failed.generation, kind="contest", contest=contest.annotation_id
    )
    for wrong in (stranger, Source(study_id="none", generation="none", kind="failure")):
        with pytest.raises(InputError, match="choose the"):
            begun(engine, people["cora"], sources=(wrong,))
    with reading(engine) as session:
        assert len(drafts.list_drafts(session)) == 1


def test_a_discarded_draft_leaves_the_list_and_stays_in_the_database(
    engine: Engine, people: dict[str, str]
) -> None:
    draft, other = (
        begun(engine, people["cora"]),
        begun(engine, people["cora"], {"wording": "no list", "id": 7}),
    )
    with writing(engine) as session:
        drafts.discard(session, draft_id=draft, actor=people["dan"])
    with writing(engine) as session, pytest.raises(Conflict, match="was discarded"):
        drafts.discard(session, draft_id=draft, actor=people["dan"])
    with reading(engine) as session:
        (one,) = drafts.list_drafts(session)
        assert (one.draft_id, one.template_id, one.wording) == (other, "", "no list")
        assert drafts.load(session, draft).content == CONTENT


def test_nobody_but_curators_and_admins_touches_a_draft(engine: Engine, people: dict[str, str]) -> None:
    draft = begun(engine, people["root"])
    for stranger in (people["ada"], "nobody"):
        with pytest.raises(NotAllowed):
            begun(engine, stranger)
        with pytest.raises(NotAllowed):
            saved(engine, draft, 1, stranger)
        with writing(engine) as session:
            with pytest.raises(NotAllowed):
                drafts.submit(session, draft_id=draft, revision=1, actor=stranger)
            with pytest.raises(NotAllowed):
                drafts.discard(session, draft_id=draft, actor=stranger)


def _nested(levels: int) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for _ in range(levels):
        made = {"tree": made}
    return made


UNKEEPABLE: dict[str, tuple[Any, str]] = {
    "no mapping": ([], "mapping"),
    "deeper than any tree": (_nested(DEEPEST + 1), "levels deep"),
    "endlessly deep": (_nested(900), "levels deep"),
    "too long": ({"source": "x" * LARGEST}, "at most"),
    "not a number": ({"steps": float("nan")}, "finite"),
    "a number for a name": ({7: "x"}, "names"),
    "a number that no browser holds": ({"tree": {"points": [1, 2**53 + 1]}}, r"^tree\.points\.2: .* 2\^53"),
    "a number that cannot even be shown": ({"steps": -(10**5000)}, r"^steps: .* 2\^53"),
    "half of a character": ({"wording": ["a \ud800 b"]}, r"^wording\.1: .* \(U\+D800\)"),
    "half of a character in a name": ({"tree": {"\udfff": 1}}, r"^tree: .* \(U\+DFFF\)"),
}


def test_what_the_database_could_not_keep_is_refused_in_one_line(
    engine: Engine, people: dict[str, str]
) -> None:
    for content, said in UNKEEPABLE.values():
        with pytest.raises(InputError, match=said):
            begun(engine, people["cora"], content)


def test_whatever_can_be_typed_is_kept_as_it_is(engine: Engine, people: dict[str, str]) -> None:
    typed: dict[str, Any] = {
        "id": "\0 <b>\U0001f600",
        "wording": [None, {}, -(2**53), -1.5, True],
        "__proto__": {"x": []},
    }
    draft = begun(engine, people["cora"], typed)
    with reading(engine) as session:
        assert drafts.load(session, draft).content == typed
        with pytest.raises(InputError, match="no draft"):
            drafts.load(session, "\0")
