"""Open, find, lock and close studies, and read their design and taxonomy.

A study is opened in one transaction: completely or not at all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Protocol

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.criteria.criterion import Criterion, criteria_hashes, criteria_of_items
from clinicnum.annotations.custom_field_answers import check_answers
from clinicnum.annotations.custom_fields import check_keys
from clinicnum.annotations.draw_study_items import draw_items
from clinicnum.annotations.guideline import DEFAULT_VERSION, FIRST_VERSION, guideline_of_kind
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.study_design import Design
from clinicnum.annotations.study_inputs import Material, check_material
from clinicnum.annotations.study_seed import Seed, parse_seed, study_secret
from clinicnum.annotations.taxonomy import Taxonomy, load_taxonomy
from clinicnum.annotations.types import StudySummary
from clinicnum.db.engine import lock
from clinicnum.db.rows import GuidelineRow, StudyAnnotatorRow, StudyRow, TaxonomyRow, UserRow, utc_now
from clinicnum.db.work.accounts.users import COMMAND_LINE
from clinicnum.db.work.audit.audit_log import append
from clinicnum.db.work.common.bulk_insert import add_all
from clinicnum.db.work.common.model_masking_period import SHOWN, shown_from
from clinicnum.db.work.common.study_criteria import add_criteria
from clinicnum.db.work.runs.store_study_material import LoadedRows, load_material
from clinicnum.db.work.studies.default_guideline import guideline_with_cases
from clinicnum.db.work.studies.exclude_invalidated import without_invalidated
from clinicnum.db.work.studies.insert_study_rows import add_items
from clinicnum.db.work.studies.study_name import new_study_name
from clinicnum.db.work.studies.study_summaries import summarise
from clinicnum.errors import Conflict, InputError
from clinicnum.io.jsonl import content_id
from clinicnum.translatable_text import Translatable

OWN_COLUMNS = {"overlap", "include", "suggestions"}
"""Fields of the design that have columns of their own."""
LONGEST_GUIDELINE = 50_000


def create_study(
    session: Session,
    *,
    name: str,
    material: Material,
    annotators: Sequence[str],
    design: Design,
    seed: Seed,
    taxonomy: Taxonomy,
    references: Mapping[str, Judgement] | None = None,
    guideline: str = "",
    criteria: Sequence[Criterion] = (),
    loaded: LoadedRows | None = None,
    deadline: date | None = None,
    actor: str = COMMAND_LINE,
) -> StudySummary:
    """Load the material, draw and order the sample, and open the study to its annotators (account names).

    Instances that earlier studies invalidated are not drawn. `loaded` gives the row ids of the material if
    all of it came from this database. `references` are judgements by generation id, from which training and
    control items are taken; `guideline` is Markdown, by default made from taxonomy and material; `criteria`
    of other items are left out. Raises InputError for names or a seed that cannot be used, too large an
    overlap, too long a guideline, and material, criteria, fields or references that do not fit.
    """
    lock(session, "create_study")
    design.check_criteria(given=bool(criteria))
    guideline = guideline.strip() or guideline_of_kind(design.kind, design.fields)
    version = FIRST_VERSION if guideline else DEFAULT_VERSION
    name = new_study_name(session, name)
    seed = parse_seed(str(seed))
    check_material(material)
    check_keys(design.fields, taxonomy, criteria=bool(criteria))
    criteria = criteria_of_items(criteria, (one.instance_id for one in material.instances))
    material = _without_later_codes(without_invalidated(session, material), taxonomy)
    users = [find_annotator(session, annotator) for annotator in annotators]
    study_id = content_id(["study", name])
    secret = study_secret(seed, study_id=study_id)
    pseudonyms = _pseudonyms([user.id for user in users], study_id, seed)
    sample = draw_items(material, references or {}, design=design, annotators=len(users), seed=seed)
    guideline = clean_guideline(guideline) or guideline_with_cases(session, material, taxonomy, sample)
    for suggestion in material.suggestions:
        taxonomy.level1(suggestion.code)
    for reference in sample.references.values():
        for label in reference.labels:
            taxonomy.level1(label.code)
        check_answers(reference, design.fields)
    loaded = loaded or load_material(session, material)
    _keep_taxonomy(session, taxonomy)
    session.add(
        StudyRow(
            id=study_id,
            name=name,
            benchmark_id=loaded.benchmark_id,
            status="open",
            taxonomy_id=taxonomy.id,
            taxonomy_version=taxonomy.version,
            guideline_version=version,
            overlap=design.overlap,
            include=design.include,
            seed=str(seed),
            secret=secret,
            suggestion_policy=design.suggestions,
            design=design.model_dump(mode="json", exclude=OWN_COLUMNS),
            created_at=utc_now(),
            deadline=deadline,
        )
    )
    session.flush()
    session.add(GuidelineRow(study_id=study_id, version=int(version), text=guideline, created_at=utc_now()))
    add_criteria(session, study_id, criteria)
    add_items(session, study_id, secret=secret, material=material, loaded=loaded, sample=sample)
    add_all(
        session,
        StudyAnnotatorRow,
        [
            {
                "study_id": study_id,
                "user_id": user_id,
                "pseudonym": pseudonym,
                "total": sample.share,
                "cursor": sample.first,
                "claimed": 0,
                "done": 0,
                "skipped": 0,
            }
            for user_id, pseudonym in pseudonyms.items()
        ],
    )
    summary = summarise(session, session.get_one(StudyRow, study_id))
    logged = {"fields", "adjudicated", "rating_limit"}
    told = summary.model_dump(mode="json") | design.model_dump(mode="json", include=logged)
    told |= {"criteria": criteria_hashes(criteria)} if criteria else {}
    append(session, study_id=study_id, actor=actor, action="create_study", after=told)
    return summary


class Designed(Protocol):
    """The columns of a study that hold its design."""

    @property
    def design(self) -> dict[str, Any]: ...
    @property
    def overlap(self) -> int: ...
    @property
    def include(self) -> str: ...
    @property
    def suggestion_policy(self) -> str: ...


def design_of(study: Designed) -> Design:
    """The design with which the study was opened. A study of the first database schema has only the fields
    that are columns; the others have their defaults.
    """
    columns = {"overlap": study.overlap, "include": study.include, "suggestions": study.suggestion_policy}
    return Design.model_validate({**study.design, **columns})


def clean_guideline(text: str) -> str:
    """The guideline with uniform line ends. Raises InputError if it is too long."""
    cleaned = "\n".join(text.splitlines()).strip()
    if len(cleaned) > LONGEST_GUIDELINE:
        raise InputError(
            "the guideline has {n} characters; expected at most {most}",
            n=len(cleaned),
            most=LONGEST_GUIDELINE,
        )
    return cleaned


def find_annotator(session: Session, name: str) -> UserRow:
    """An active account with the role annotator. Raises InputError that says why the account cannot be
    used.
    """
    row = session.scalars(select(UserRow).where(col(UserRow.name) == name.strip().lower())).first()
    if row is None:
        raise InputError(
            "no user {name!r}; add the account first, with the role annotator",
            name=name,
            on_command_line=f"clinicnum users add {name.strip()} --role annotator",
        )
    if row.role != "annotator" or not row.active:
        if row.role == "annotator":
            raise InputError(
                "user {name!r} is switched off; expected active accounts with the role annotator",
                name=row.name,
            )
        raise InputError(
            "user {name!r} has the role {role}; expected active accounts with the role annotator",
            name=row.name,
            role=row.role,
        )
    return row


def _pseudonyms(user_ids: Sequence[str], study_id: str, seed: Seed) -> dict[str, str]:
    """User id -> `A1`, `A2`, ... in an order independent of the names."""
    if len(set(user_ids)) < len(user_ids):
        raise InputError("an annotator is named twice; name each once", on_command_line="--annotators")
    shuffled = sorted(user_ids, key=lambda user_id: content_id(["pseudonym", study_id, seed, user_id]))
    return {user_id: f"A{number}" for number, user_id in enumerate(shuffled, start=1)}


def _without_later_codes(material: Material, taxonomy: Taxonomy) -> Material:
    """The material without suggestions of a code that came with version 2, if the taxonomy lacks it."""
    later = set(load_taxonomy().codes()) - set(load_taxonomy(version="1").codes()) - set(taxonomy.codes())
    return replace(material, suggestions=tuple(one for one in material.suggestions if one.code not in later))


def _keep_taxonomy(session: Session, taxonomy: Taxonomy) -> None:
    row = session.get(TaxonomyRow, (taxonomy.id, taxonomy.version))
    if row is None:
        payload = taxonomy.model_dump(mode="json")
        session.add(TaxonomyRow(id=taxonomy.id, version=taxonomy.version, payload=payload))
        session.flush()
    elif Taxonomy.model_validate(row.payload) != taxonomy:  # an earlier release stored fewer fields
        raise InputError(
            "taxonomy {taxonomy_id} {taxonomy_version} is in the database already with other content; give "
            "the changed one a new version",
            taxonomy_id=taxonomy.id,
            taxonomy_version=taxonomy.version,
        )


def find_study(session: Session, name: str, *, locked: bool = False) -> StudyRow:
    """The row of a study by name. Raises InputError naming the existing ones."""
    statement = select(StudyRow).where(col(StudyRow.name) == name.strip())
    if locked:
        statement = statement.with_for_update().execution_options(populate_existing=True)
    row = session.scalars(statement).first()
    if row is None:
        names = ", ".join(session.scalars(select(col(StudyRow.name)).order_by(col(StudyRow.name))))
        raise InputError(
            "no study {name!r}; expected one of: {names}",
            name=name,
            names=names or Translatable("none yet, open one first"),
            on_command_line="" if names else "clinicnum study create",
        )
    return row


def lock_study(session: Session, study_id: str) -> None:
    """Lock a study, so that only one transaction at a time changes its assignments, decisions or
    contests, or closes it.
    """
    lock(session, f"study:{study_id}")


def close_study(session: Session, *, name: str, actor: str = COMMAND_LINE) -> StudySummary:
    """Close the study: nothing in it changes any more, and annotators may see each other's labels.

    Its models stay masked while a decision or a contest is pending: see
    `clinicnum.db.work.common.model_masking_period`. Raises InputError for an unknown study, Conflict if it is
    closed already.
    """
    lock_study(
        session, find_study(session, name).id
    )  # before its row, as claiming an item locks in this order
    row = find_study(session, name, locked=True)
    if row.status == "closed":
        raise Conflict("study {name!r} is closed already", name=row.name)
    before = {"status": row.status}
    row.status, row.closed_at = "closed", row.closed_at or utc_now()
    session.flush()
    append(
        session,
        study_id=row.id,
        actor=actor,
        action="close_study",
        before=before,
        after={"status": "closed", SHOWN: shown_from(session, row)},
    )
    return summarise(session, row)


def taxonomy_of_study(session: Session, *, study_id: str) -> Taxonomy:
    """The taxonomy with which the study was opened."""
    study = session.get_one(StudyRow, study_id)
    row = session.get_one(TaxonomyRow, (study.taxonomy_id, study.taxonomy_version))
    return Taxonomy.model_validate(row.payload)
