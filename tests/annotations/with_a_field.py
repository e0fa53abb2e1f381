"""Run as a program: clinicnum with one field more in its definition of a judgement, and where it is seen.

Prints JSON. Nothing else of the product is touched.
"""

import importlib
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

NAME = "clinicnum.annotations.judgement"
SOURCE = Path(__file__).parents[2] / "annotations" / "judgement.py"
FIELD = """    urgency: Annotated[
        Literal["soon", "later"] | None,
        FieldDefinition(
            label="Urgency",
            meaning="How soon it matters",
            options=(Option("soon", "Soon"), Option("later", "Later")),
            key="u",
        ),
    ] = None
"""
PLACE = "    rationale: Annotated[\n"


def add_field() -> None:
    """Load the module with the field in it, under its own name, before anything else of the product."""
    source = SOURCE.read_text(encoding="utf-8")
    assert source.count(PLACE) == 1
    module = ModuleType(NAME)
    module.__file__ = str(SOURCE)
    sys.modules[NAME] = module
    exec(compile(source.replace(PLACE, FIELD + PLACE), str(SOURCE), "exec"), module.__dict__)
    importlib.import_module("clinicnum.annotations").judgement = module  # type: ignore[attr-defined]


def places(database: str, stored: list[dict[str, Any]]) -> dict[str, Any]:
    """What page, database, exports and report show of the field."""
    from sqlalchemy import select

    from clinicnum.annotations.exports.annotation_tables import annotations_table
    from clinicnum.annotations.judgement import Judgement
    from clinicnum.annotations.judgement_text import judgement_text
    from clinicnum.annotations.partial_judgement import form_of
    from clinicnum.annotations.read_stored_judgements import own_part
    from clinicnum.annotations.taxonomy import load_taxonomy
    from clinicnum.db.engine import make_engine, reading
    from clinicnum.db.migrate import migrate
    from clinicnum.db.rows import AnnotationRow
    from clinicnum.ui.components.judgement_form_data import judgement_questions
    from tests.db.examples import FAILURE, add_users, open_study
    from tests.db.test_annotate import first, submit

    urgent = Judgement.model_validate(FAILURE.model_dump() | {"urgency": "soon"})
    engine = make_engine(database)
    migrate(engine)
    people = add_users(engine)
    open_study(engine)
    submit(engine, people[0].user_id, first(engine, people[0].user_id), urgent)
    with reading(engine) as session:
        row = session.scalars(select(AnnotationRow)).one()
        kept = row.payload["urgency"]
    asked = {one["name"]: one for one in judgement_questions(load_taxonomy())["questions"]}
    table = annotations_table(())
    return {
        "question": [one["value"] for one in asked["urgency"]["options"]],
        "form": form_of(urgent)["urgency"],
        "database": kept,
        "stored before": [own_part(one).urgency for one in stored],  # type: ignore[attr-defined]
        "words": "urgency: soon" in judgement_text(urgent, load_taxonomy()),
        "export": [one.description for one in table.fields if one.name == "urgency"],
    }


if __name__ == "__main__":
    add_field()
    files = [json.loads(Path(one).read_text(encoding="utf-8")) for one in sys.argv[2:]]
    print(json.dumps(places(sys.argv[1], files)))
