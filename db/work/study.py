"""Studies: open one on its material, list, close. Opening is one transaction: all of it or nothing."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from sqlalchemy import case, func, select
from sqlmodel import Session, col

from annotations.assignment import assign
from annotations.material import Material, check_material
from annotations.sampling import Candidate, Drawn, Include, draw_sample
from annotations.taxonomy import Taxonomy
from annotations.types import StudySummary
from clinicnum.errors import Conflict, InputError
from clinicnum.jsonl import content_id
from db.engine import lock
from db.rows import (
    AssignmentRow,
    StudyAnnotatorRow,
    StudyItemRow,
    StudyRow,
    StudyRunRow,
    StudyScoreRow,
    SuggestionRow,
    TaxonomyRow,
    UserRow,
    utc_now,
)
from db.work.audit import append
from db.work.loading import Loaded, add_all, load_material
from db.work.users import COMMAND_LINE

GUIDELINE_VERSION = "1"
LARGEST_SEED = 2**31 - 1


def create_study(
    session: Session,
    *,
    name: str,
    material: Material,
    annotators: Sequence[str],
    overlap: int,
    include: Include,
    seed: int,
    taxonomy: Taxonomy,
    guideline_version: str = GUIDELINE_VERSION,
    actor: str = COMMAND_LINE,
) -> StudySummary:
    """Load the material, draw the sample, assign it to the annotators (account names) and open the study.

    Benchmarks, runs and scores that are there already are used as they are. Raises InputError for a name that
    is taken, an unknown annotator, an overlap above their number, material that does not fit together, and
    runs without a failure; nothing is then stored.
    """
    lock(session, "create_study")
    name = _clean_name(session, name)
    if not 0 <= seed <= LARGEST_SEED:
        raise InputError(f"seed {seed} is out of range; expected 0 to {LARGEST_SEED}")
    check_material(material)
    users = [_annotator(session, annotator) for annotator in annotators]
    drawn = draw_sample(_candidates(material), include=include, seed=seed)
    study_id = content_id(["study", name])
    pseudonyms = _pseudonyms([user.id for user in users], study_id, seed)
    assigned = assign(
        [item.generation_id for item in drawn], list(pseudonyms.values()), overlap=overlap, seed=seed
    )
    for suggestion in material.suggestions:
        taxonomy.level1(suggestion.code)
    loaded = load_material(session, material)
    _keep_taxonomy(session, taxonomy)
    session.add(
        StudyRow(
            id=study_id,
            name=name,
            benchmark_id=loaded.benchmark_id,
            status="open",
            taxonomy_id=taxonomy.id,
            taxonomy_version=taxonomy.version,
            guideline_version=guideline_version,
            overlap=overlap,
            include=include,
            seed=seed,
            suggestion_policy="hidden",
            created_at=utc_now(),
        )
    )
    session.flush()
    _add_sample(session, study_id, material, loaded, drawn)
    loads = Counter(duty.annotator for duty in assigned)
    add_all(
        session,
        StudyAnnotatorRow,
        [
            {
                "study_id": study_id,
                "user_id": user_id,
                "pseudonym": pseudonym,
                "total": loads[pseudonym],
                "done": 0,
                "skipped": 0,
            }
            for user_id, pseudonym in pseudonyms.items()
        ],
    )
    user_of = {pseudonym: user_id for user_id, pseudonym in pseudonyms.items()}
    add_all(
        session,
        AssignmentRow,
        [
            _assignment(
                study_id,
                loaded.generations[duty.generation_id],
                duty.annotator,
                user_of[duty.annotator],
                duty.position,
            )
            for duty in assigned
        ],
    )
    summary = _summaries(session, study_id=study_id)[0]
    append(
        session, study_id=study_id, actor=actor, action="create_study", after=summary.model_dump(mode="json")
    )
    return summary


def _clean_name(session: Session, name: str) -> str:
    cleaned = name.strip()
    if not 1 <= len(cleaned) <= 100 or not cleaned.isprintable():
        raise InputError(f"study name {name!r} cannot be used; expected 1 to 100 printable characters")
    if session.scalars(select(StudyRow).where(col(StudyRow.name) == cleaned)).first() is not None:
        raise InputError(f"study {cleaned!r} exists already; choose another --name")
    return cleaned


def _annotator(session: Session, name: str) -> UserRow:
    row = session.scalars(select(UserRow).where(col(UserRow.name) == name.strip().lower())).first()
    if row is None:
        raise InputError(
            f"no user {name!r}; add the account first: clinicnum users add {name.strip()} --role annotator"
        )
    if row.role != "annotator" or not row.active:
        state = f"has the role {row.role}" if row.role != "annotator" else "is switched off"
        raise InputError(f"user {row.name!r} {state}; expected active accounts with the role annotator")
    return row


def _candidates(material: Material) -> list[Candidate]:
    instances = {instance.instance_id: instance for instance in material.instances}
    correct = {score.generation_id: score.status == "correct" for score in material.scores}
    return [
        Candidate(
            generation_id=generation.generation_id,
            operation=instances[generation.instance_id].operation,
            representation=instances[generation.instance_id].representation,
            correct=correct[generation.generation_id],
        )
        for generation in material.generations()
    ]


def _pseudonyms(user_ids: Sequence[str], study_id: str, seed: int) -> dict[str, str]:
    """user id -> `A1`, `A2`, ... in an order that is not that of the names."""
    if len(set(user_ids)) < len(user_ids):
        raise InputError("an annotator is named twice in --annotators; name each once")
    shuffled = sorted(user_ids, key=lambda user_id: content_id(["pseudonym", study_id, seed, user_id]))
    return {user_id: f"A{number}" for number, user_id in enumerate(shuffled, start=1)}


def _keep_taxonomy(session: Session, taxonomy: Taxonomy) -> None:
    payload = taxonomy.model_dump(mode="json")
    row = session.get(TaxonomyRow, (taxonomy.id, taxonomy.version))
    if row is None:
        session.add(TaxonomyRow(id=taxonomy.id, version=taxonomy.version, payload=payload))
        session.flush()
    elif row.payload != payload:
        raise InputError(
            f"taxonomy {taxonomy.id} {taxonomy.version} is in the database already with other content; "
            "give the changed one a new version"
        )


def _add_sample(
    session: Session, study_id: str, material: Material, loaded: Loaded, drawn: Sequence[Drawn]
) -> None:
    key = loaded.generations
    runs = [
        {"study_id": study_id, "run": loaded.runs[run_id], "meta": meta}
        for run_id, meta in loaded.run_metas.items()
    ]
    scores = [
        {"study_id": study_id, "generation": row, "score": loaded.scores[generation_id], "position": position}
        for position, (generation_id, row) in enumerate(key.items())
    ]
    items = [
        {
            "study_id": study_id,
            "generation": key[item.generation_id],
            "stratum": item.stratum,
            "inclusion_probability": item.inclusion_probability,
        }
        for item in drawn
    ]
    suggestions: dict[str, dict[str, Any]] = {}
    for suggestion in material.suggestions:
        payload = suggestion.model_dump(mode="json")
        row_id = content_id(["suggestion", study_id, payload])
        suggestions[row_id] = {
            "id": row_id,
            "study_id": study_id,
            "generation": key[suggestion.generation_id],
            "code": suggestion.code,
            "payload": payload,
        }
    add_all(session, StudyRunRow, runs)
    add_all(session, StudyScoreRow, scores)
    add_all(session, StudyItemRow, items)
    add_all(session, SuggestionRow, list(suggestions.values()))


def _assignment(
    study_id: str, generation: str, pseudonym: str, user_id: str, position: int
) -> dict[str, Any]:
    return {
        # From the pseudonym: ids leave the database with exports, and a name could be guessed from its hash.
        "id": content_id(["assignment", study_id, generation, pseudonym, "main"]),
        "study_id": study_id,
        "generation": generation,
        "user_id": user_id,
        "round": "main",
        "position": position,
        "status": "open",
        "revision": 0,
        "active_ms": 0,
    }


def list_studies(session: Session) -> tuple[StudySummary, ...]:
    """All studies by name."""
    return _summaries(session)


def _summaries(session: Session, *, study_id: str | None = None) -> tuple[StudySummary, ...]:
    simulated = case((col(UserRow.annotator_kind) == "simulated", 1), else_=0)
    drawn = (
        select(func.count())
        .select_from(StudyItemRow)
        .where(col(StudyItemRow.study_id) == col(StudyRow.id))
        .scalar_subquery()
    )
    statement = (
        select(
            StudyRow,
            drawn,
            func.count(),
            func.sum(simulated),
            func.sum(col(StudyAnnotatorRow.total)),
            func.sum(col(StudyAnnotatorRow.done)),
            func.sum(col(StudyAnnotatorRow.skipped)),
        )
        .join(StudyAnnotatorRow, col(StudyAnnotatorRow.study_id) == col(StudyRow.id))
        .join(UserRow, col(UserRow.id) == col(StudyAnnotatorRow.user_id))
        .group_by(col(StudyRow.id))
        .order_by(col(StudyRow.name))
    )
    if study_id is not None:
        statement = statement.where(col(StudyRow.id) == study_id)
    return tuple(
        StudySummary(
            study_id=row.id,
            name=row.name,
            status=row.status,
            taxonomy_id=row.taxonomy_id,
            taxonomy_version=row.taxonomy_version,
            guideline_version=row.guideline_version,
            overlap=row.overlap,
            generations=generations,
            annotators=annotators,
            simulated_annotators=scripted,
            assignments=total,
            submitted=done,
            skipped=skipped,
        )
        for row, generations, annotators, scripted, total, done, skipped in session.execute(statement)
    )


def find_study(session: Session, name: str, *, locked: bool = False) -> StudyRow:
    """The row of a study by name. Raises InputError, naming those there are."""
    statement = select(StudyRow).where(col(StudyRow.name) == name.strip())
    row = session.scalars(statement.with_for_update() if locked else statement).first()
    if row is None:
        names = ", ".join(session.scalars(select(col(StudyRow.name)).order_by(col(StudyRow.name))))
        raise InputError(f"no study {name!r}; expected one of: {names or 'none yet, make one: study create'}")
    return row


def close_study(session: Session, *, name: str, actor: str = COMMAND_LINE) -> StudySummary:
    """Close a study: nothing can be changed in it any more. Raises Conflict if it is closed already."""
    row = find_study(session, name, locked=True)
    if row.status == "closed":
        raise Conflict(f"study {row.name!r} is closed already")
    row.status, row.closed_at = "closed", utc_now()
    session.flush()
    append(
        session,
        study_id=row.id,
        actor=actor,
        action="close_study",
        before={"status": "open"},
        after={"status": "closed"},
    )
    return _summaries(session, study_id=row.id)[0]


def taxonomy_of_study(session: Session, *, study_id: str) -> Taxonomy:
    """The taxonomy as the study was opened with it."""
    study = session.get_one(StudyRow, study_id)
    row = session.get_one(TaxonomyRow, (study.taxonomy_id, study.taxonomy_version))
    return Taxonomy.model_validate(row.payload)
