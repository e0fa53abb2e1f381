"""Rulings gather into a log, go into the next guideline version, and travel with the study."""

import csv
import io
from typing import Any

import pytest
from sqlalchemy import Engine
from sqlmodel import col, select

from clinicnum.annotations.bundle.archive import Unpacked
from clinicnum.annotations.bundle.raw_files import read_raw
from clinicnum.annotations.bundle.verify import verify_bundle
from clinicnum.annotations.bundle.write import bundle_files
from clinicnum.annotations.exports.data_files import csv_files, jsonl_files
from clinicnum.annotations.guideline import with_rulings
from clinicnum.annotations.types import Ruling
from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import MessageRow
from clinicnum.db.work.common.rulings import load_rulings
from clinicnum.db.work.studies.load_study_for_bundle import load_study_material
from clinicnum.db.work.studies.study_changes import change_guideline
from clinicnum.db.work.studies.study_lifecycle import find_study
from clinicnum.errors import InputError
from clinicnum.ui.pages.studies.page import StudiesHandlers
from tests.db.conversing import NOTE, RULE, asked_and_answered, begin
from tests.ui.gradio_request import Request


def rulings(engine: Engine) -> tuple[Ruling, ...]:
    with reading(engine) as session:
        return load_rulings(session, find_study(session, "six").id)


def given(engine: Engine) -> dict[str, str]:
    """Two rulings, and an answer that is none."""
    people = begin(engine, wrong=3)
    for text, ruling in ((RULE, True), ("Only here.", False), ("Units may lack.", True)):
        asked_and_answered(engine, people, text=text, ruling=ruling)
    return people


def test_answers_marked_as_rulings_are_listed_and_marked_once_a_version_has_them(engine: Engine) -> None:
    given(engine)
    first, second = rulings(engine)
    assert (first.text, first.question, first.adjudicator_id) == (RULE, NOTE, "J1")
    assert (first.guideline_version, second.guideline_version) == (None, None)
    with writing(engine) as session:
        change_guideline(session, name="six", text=with_rulings("# How", [RULE]), rulings=[first.ruling_id])
    with writing(engine) as session:
        change_guideline(session, name="six", text="# How, else", rulings=[second.ruling_id])
    assert [one.guideline_version for one in rulings(engine)] == ["1", "2"]


def test_what_is_no_ruling_of_the_study_goes_into_no_version(engine: Engine) -> None:
    given(engine)
    with reading(engine) as session:
        plain = session.scalars(select(col(MessageRow.id)).where(~col(MessageRow.ruling))).one()
        other = find_study(session, "other").name
    for name, key in (("six", "none"), ("six", plain), (other, rulings(engine)[0].ruling_id)):
        with pytest.raises(InputError, match="no ruling of study"), writing(engine) as session:
            change_guideline(session, name=name, text="# New", rulings=[key])
    assert [one.guideline_version for one in rulings(engine)] == [None, None]


def test_a_draft_of_the_chosen_rulings_is_edited_and_published_on_the_page(engine: Engine) -> None:
    people = given(engine)
    page, root = StudiesHandlers(Store(engine)), Request(people["ada"])
    first, second = rulings(engine)
    _, table, choice, *_ = page.rulings.show_rulings("six")
    assert [row[2:] for row in table["value"]] == [
        [NOTE, "Units may lack.", "not yet"],
        [NOTE, RULE, "not yet"],
    ]
    assert choice["choices"] == [(RULE, first.ruling_id), ("Units may lack.", second.ruling_id)]
    with pytest.raises(InputError, match="Choose the rulings"):
        page.rulings.draft_guideline("six", [])
    _, text, drafted = page.rulings.draft_guideline("six", [second.ruling_id, "none"])
    assert text.endswith("## Rulings\n\n- Units may lack.\n")
    assert drafted == second.ruling_id
    answer: Any = page.save_guideline("six", text + "- And more.", drafted, root)  # type: ignore[arg-type]
    assert answer[-4]["choices"] == [(RULE, first.ruling_id)]
    assert [one.guideline_version for one in rulings(engine)] == [None, "1"]
    _, again, _ = page.rulings.draft_guideline("six", [first.ruling_id])
    assert again.endswith(f"- Units may lack.\n- And more.\n- {RULE}\n"), "one list, however many versions"


def test_exports_and_bundle_carry_the_rulings(engine: Engine) -> None:
    given(engine)
    with reading(engine) as session:
        material = load_study_material(session, "six")
    files = csv_files(material.tables)
    rows = list(csv.DictReader(io.StringIO(files["rulings.csv"])))
    assert [(row["text"], row["question"], row["adjudicator_id"]) for row in rows] == [
        (RULE, NOTE, "J1"),
        ("Units may lack.", NOTE, "J1"),
    ]
    assert "rulings.csv" in files["datapackage.json"]
    assert jsonl_files(material.tables)["rulings.jsonl"].count("\n") == 2
    bundle = bundle_files(material, generated_by="test")
    assert read_raw(bundle).tables.rulings == material.tables.rulings
    assert verify_bundle(Unpacked(files=bundle), generated_by="test").whole
    without = {name: content for name, content in bundle.items() if name != "raw/rulings.jsonl"}
    assert read_raw(without).tables.rulings == (), "bundles of earlier versions lack them"


@pytest.mark.parametrize(
    ("text", "drafted"),
    [
        ("", "## Rulings\n\n- one\n- two\n  lines\n"),
        ("# Title\n", "# Title\n\n## Rulings\n\n- one\n- two\n  lines\n"),
        ("# Title\n\n## Rulings\n\n- zero", "# Title\n\n## Rulings\n\n- zero\n- one\n- two\n  lines\n"),
        (
            "## Rulings\n\n- zero\n\n## More",
            "## Rulings\n\n- zero\n\n## More\n\n## Rulings\n\n- one\n- two\n  lines\n",
        ),
    ],
)
def test_rulings_are_appended_under_a_heading_of_their_own(text: str, drafted: str) -> None:
    assert with_rulings(text, ["one", " two\nlines "]) == drafted


def test_without_rulings_a_guideline_stays_as_it_is() -> None:
    assert with_rulings("# Title ", []) == "# Title "
