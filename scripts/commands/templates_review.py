"""`clinicnum templates review`: the review rounds in a database, and their verdicts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clinicnum.scripts.commands.common.open_database import DatabaseOption

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from clinicnum.db.work.review.review_rounds_for_curators import RoundView


def review(
    template: Annotated[str | None, typer.Option(help="Only rounds about this template.")] = None,
    open_only: Annotated[bool, typer.Option("--open", help="Only rounds that are open.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print ratings, figures and verdicts too.")] = False,
    db: DatabaseOption = None,
) -> None:
    """List the review rounds with their verdicts; ratings carry no names.

    Example: clinicnum templates review --json
    """
    from clinicnum.scripts.commands.common.open_database import using_database

    with using_database(db) as engine:
        views = _views(engine, template, "open" if open_only else None)
    if as_json:
        typer.echo(json.dumps([_json(view) for view in views], indent=2))
        return
    for view in views:
        typer.echo(_line(view))
    typer.echo(f"{len(views)} round{'' if len(views) == 1 else 's'}")


def _views(engine: Engine, template: str | None, status: str | None) -> list[RoundView]:
    """Load the rounds; trials run outside the reading sessions, since they take a while."""
    from clinicnum.db.engine import reading
    from clinicnum.db.work.review.automatic_checks import checks_of_round
    from clinicnum.db.work.review.review_rounds_for_curators import list_rounds, load_round

    with reading(engine) as session:
        found = [one for one in list_rounds(session, status=status) if template in (None, one.template_id)]
    views = []
    for one in found:
        trial = checks_of_round(lambda: reading(engine), one.round_id)
        with reading(engine) as session:
            views.append(load_round(session, round_id=one.round_id, viewer=None, trial=trial))
    return views


def _json(view: RoundView) -> dict[str, Any]:
    verdict = None
    if view.verdict is not None:
        verdict = {"accepted": view.verdict.accepted, **view.verdict.model_dump(mode="json")}
    return {
        **view.summary.model_dump(mode="json"),
        "hidden": view.hidden,
        "ratings": [one.ratings for one in view.reviews],
        "figures": None if view.figures is None else view.figures.model_dump(mode="json"),
        "verdict": verdict,
        "comments": [one.model_dump(mode="json", exclude={"key"}) for one in view.remarks],
        "reason": view.reason,
    }


def _line(view: RoundView) -> str:
    one = view.summary
    said = f"{one.template_id:<36}v{one.version}  round {one.number}  {one.status:<9}"
    said += f"{one.handed_in} of {one.invited} handed in"
    if one.status == "accepted":
        return said
    if view.verdict is None:
        return f"{said}; {view.hidden}"
    return f"{said}; not met: {view.verdict.unmet() or 'nothing'}"
