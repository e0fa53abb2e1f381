"""Change the criteria of a study that is not closed: a new text makes a version to tick again."""

from collections.abc import Sequence

from sqlmodel import Session

from clinicnum.annotations.criteria.criterion import (
    Criteria,
    Criterion,
    changed_criteria,
    criteria_hashes,
)
from clinicnum.annotations.types import StudySummary
from clinicnum.db.rows import CriterionRow, utc_now
from clinicnum.db.work.accounts.users import COMMAND_LINE
from clinicnum.db.work.audit.audit_log import append
from clinicnum.db.work.common.study_criteria import criteria_of_study
from clinicnum.db.work.studies.study_lifecycle import find_study
from clinicnum.db.work.studies.study_summaries import summarise
from clinicnum.errors import Conflict


def change_criteria(
    session: Session, *, name: str, criteria: Sequence[Criterion], actor: str = COMMAND_LINE
) -> StudySummary:
    """Change text, weight, must-have or source of criteria of the study; others stay.

    Existing ticks stay with the version shown; whoever reopens an item ticks the new text. Raises Conflict
    for a closed study, InputError for an unknown study, for a criterion that the study lacks, or if nothing
    changes.
    """
    study = find_study(session, name, locked=True)
    if study.status == "closed":
        raise Conflict("study {study!r} is closed; reopen it to change it", study=study.name)
    in_force = {(one.item, one.id): one for one in Criteria(criteria_of_study(session, study.id)).newest}
    changed = changed_criteria(in_force, criteria)
    for one in changed:
        before = in_force[one.item, one.id]
        row = session.get_one(CriterionRow, (study.id, one.item, one.id, before.version))
        if one.version == before.version:
            row.payload = one.model_dump(mode="json")
        else:
            session.add(
                CriterionRow(
                    study_id=study.id,
                    item=one.item,
                    criterion_id=one.id,
                    version=one.version,
                    place=row.place,
                    payload=one.model_dump(mode="json"),
                    created_at=utc_now(),
                )
            )
    session.flush()
    append(
        session,
        study_id=study.id,
        actor=actor,
        action="change_criteria",
        before={"criteria": criteria_hashes(in_force[one.item, one.id] for one in changed)},
        after={"criteria": criteria_hashes(changed)},
    )
    return summarise(session, study)
