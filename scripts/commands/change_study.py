"""`clinicnum study pause`, `reopen`, `close`, `guideline`, `deadline`, `criteria` and `add-annotator`."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clinicnum.scripts.commands.common.json_option import JsonOption
from clinicnum.scripts.commands.common.open_database import DatabaseOption
from clinicnum.scripts.commands.text.study import print_studies

if TYPE_CHECKING:
    from sqlmodel import Session

    from clinicnum.annotations.types import StudySummary

Name = Annotated[str, typer.Argument(help="Name of the study.")]


def pause(name: Name, db: DatabaseOption = None, json_output: JsonOption = False) -> None:
    """Pause a study: nobody can save in it until it is reopened.

    Example: clinicnum study pause first
    """
    from clinicnum.db.work.studies.study_changes import pause_study

    _change(db, json_output, lambda session: pause_study(session, name=name))


def reopen(name: Name, db: DatabaseOption = None, json_output: JsonOption = False) -> None:
    """Reopen a paused or closed study.

    Example: clinicnum study reopen first
    """
    from clinicnum.db.work.studies.study_changes import reopen_study

    _change(db, json_output, lambda session: reopen_study(session, name=name))


def close(name: Name, db: DatabaseOption = None, json_output: JsonOption = False) -> None:
    """Close a study: nobody can label in it any more, and its annotators may see each other's labels.

    Open disagreements and contests can still be decided; models stay masked until the last decision.

    Example: clinicnum study close first
    """
    from clinicnum.db.engine import reading
    from clinicnum.db.work.studies.study_lifecycle import close_study
    from clinicnum.db.work.studies.study_progress import study_details
    from clinicnum.scripts.commands.common.open_database import existing_database
    from clinicnum.scripts.commands.common.write_audit_anchors import anchor_or_warn

    _change(db, json_output, lambda session: close_study(session, name=name))
    with existing_database(db) as engine:
        anchor_or_warn(engine)
        with reading(engine) as session:
            note = study_details(session, name).progress.closing_note()
    if note:
        typer.echo(f"warning: {note}", err=True)


def guideline(
    name: Name,
    file: Annotated[Path, typer.Argument(help="The new text, Markdown.")],
    db: DatabaseOption = None,
    json_output: JsonOption = False,
) -> None:
    """Add a version of a study's guideline; each label refers to the version by which it was made.

    Example: clinicnum study guideline first guideline.md
    """
    from clinicnum.db.work.studies.study_changes import change_guideline
    from clinicnum.scripts.commands.common.study_option_files import read_guideline

    text = read_guideline(file)
    _change(db, json_output, lambda session: change_guideline(session, name=name, text=text))


def deadline(
    name: Name,
    day: Annotated[str, typer.Argument(metavar="YYYY-MM-DD", help="The new day, or none.")],
    db: DatabaseOption = None,
    json_output: JsonOption = False,
) -> None:
    """Set, move or remove the day by which a study's work should be done; nothing is blocked after it.

    Example: clinicnum study deadline first 2030-12-15
    """
    from clinicnum.annotations.study_deadline import read_deadline, today
    from clinicnum.db.work.studies.study_changes import change_deadline

    due = read_deadline(day, now=today())
    _change(db, json_output, lambda session: change_deadline(session, name=name, deadline=due))


def criteria(
    name: Name,
    file: Annotated[Path, typer.Argument(help="Criteria with their new texts, CSV, JSONL or JSON.")],
    db: DatabaseOption = None,
    json_output: JsonOption = False,
) -> None:
    """Change criteria of a study. A changed text is a new version, which annotators tick from then on.

    Criteria that the file does not name stay as they are. The report says how many ticks are on earlier
    texts.

    Example: clinicnum study criteria first criteria.csv
    """
    from clinicnum.annotations.criteria.read import read_criteria
    from clinicnum.db.work.studies.criteria_changes import change_criteria

    given = read_criteria(file)
    _change(db, json_output, lambda session: change_criteria(session, name=name, criteria=given))


def add_annotator(
    name: Name,
    annotator: Annotated[str, typer.Argument(help="Account name.")],
    db: DatabaseOption = None,
    json_output: JsonOption = False,
) -> None:
    """Add an annotator to a study; everyone's share of the work is computed anew.

    Example: clinicnum study add-annotator first ida
    """
    from clinicnum.db.work.studies import study_changes

    _change(
        db,
        json_output,
        lambda session: study_changes.add_annotator(session, name=name, annotator=annotator),
    )


def _change(db: str | None, json_output: bool, change: "Callable[[Session], StudySummary]") -> None:
    """Make one change in its own transaction, and print the resulting study."""
    from clinicnum.db.engine import writing
    from clinicnum.scripts.commands.common.open_database import existing_database

    with existing_database(db) as engine, writing(engine) as session:
        summary = change(session)
    print_studies([summary], json_output)
