"""Read the inputs of a release from the database: evidence, origins, and why templates are new or dropped."""

from collections import defaultdict
from collections.abc import Collection, Mapping

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.db.rows import (
    ContestRow,
    DraftRow,
    DraftSourceRow,
    GenerationRow,
    InstanceRow,
    ReleaseRow,
    ReviewRoundRow,
    StudyRow,
    TemplateRow,
)
from clinicnum.db.work.release.review_evidence import evidence_of_round
from clinicnum.release import Evidence, Manifest, Origin
from clinicnum.release.check import read_evidence
from clinicnum.release.manifest import VALIDATION

Key = tuple[str, int]
"""Template id and version."""


def load_evidence(session: Session) -> dict[Key, Evidence]:
    """By version: the evidence of its last accepted review round, otherwise that of an imported release."""
    found: dict[Key, Evidence] = {}
    for manifest in _manifests(session):
        reviewed = [entry for entry in manifest.templates if entry.reviewed_by]
        if reviewed:
            told = read_evidence(session.get_one(ReleaseRow, manifest.name).files[VALIDATION].encode())
            # The evidence by which a version entered the bank is not replaced by that of a later release.
            found = {(entry.id, entry.version): told[entry.id] for entry in reviewed} | found
    accepted = (
        select(ReviewRoundRow)
        .join(
            TemplateRow,
            (col(TemplateRow.template_id) == col(ReviewRoundRow.template_id))
            & (col(TemplateRow.version) == col(ReviewRoundRow.version)),
        )
        .where(col(ReviewRoundRow.status) == "accepted", col(TemplateRow.kind) == "template")
        .order_by(col(ReviewRoundRow.number))
    )
    for row in session.scalars(accepted):
        found[row.template_id, row.version] = evidence_of_round(session, row)
    return found


def load_origins(session: Session) -> dict[Key, tuple[Origin, ...]]:
    """By version: the failures from which its draft, or a draft of a version it is based on, was made."""
    own: dict[Key, tuple[Origin, ...]] = {}
    for manifest in _manifests(session):
        own |= {(entry.id, entry.version): entry.origins for entry in manifest.templates}
    sources = origins_of_drafts(session)
    bases: dict[Key, Key] = {}
    for draft in session.scalars(select(DraftRow).where(col(DraftRow.template_id).is_not(None))):
        key = (str(draft.template_id), int(draft.version or 0))
        own[key] = sources.get(draft.id, ())
        if draft.base_id is not None:
            bases[key] = (draft.base_id, int(draft.base_version or 0))
    return {key: tuple(dict.fromkeys(_inherited(key, own, bases))) for key in own}


def _manifests(session: Session) -> list[Manifest]:
    """The manifests of all releases, the oldest first."""
    oldest = (col(ReleaseRow.created_at), col(ReleaseRow.name))
    statement = select(col(ReleaseRow.manifest)).order_by(*oldest)
    return [Manifest.model_validate(payload) for payload in session.scalars(statement)]


def _inherited(key: Key, own: Mapping[Key, tuple[Origin, ...]], bases: Mapping[Key, Key]) -> list[Origin]:
    found, seen = list(own.get(key, ())), {key}
    while key in bases and bases[key] not in seen:
        key = bases[key]
        seen.add(key)
        found += own.get(key, ())
    return found


def origins_of_drafts(session: Session) -> dict[str, tuple[Origin, ...]]:
    """The failures and contests from which drafts were made, by the id of the draft."""
    statement = (
        select(
            col(DraftSourceRow.draft),
            col(StudyRow.name),
            col(GenerationRow.generation_id),
            col(DraftSourceRow.kind),
            col(DraftSourceRow.contest),
        )
        .join(StudyRow, col(StudyRow.id) == col(DraftSourceRow.study_id))
        .join(GenerationRow, col(GenerationRow.id) == col(DraftSourceRow.generation))
        .order_by(col(StudyRow.name), col(GenerationRow.generation_id))
    )
    found: dict[str, list[Origin]] = defaultdict(list)
    for draft, study, generation, kind, contest in session.execute(statement):
        found[draft].append(Origin(study=study, generation=generation, kind=kind, contest=contest))
    return {draft: tuple(origins) for draft, origins in found.items()}


def load_reasons(session: Session, held: Collection[Key]) -> dict[str, str]:
    """By template id, in words: the failure that its version in `held` was written for, and upheld contests.

    Curators' notes on drafts are left out, as they quote answers, which may hold a patient's values. Drafts
    that are open, discarded or of other versions do not count.
    """
    found: dict[str, list[str]] = defaultdict(list)
    drafts = (
        select(col(DraftRow.template_id), col(DraftRow.version), col(DraftRow.provokes))
        .where(col(DraftRow.status) == "submitted", col(DraftRow.provokes).is_not(None))
        .order_by(col(DraftRow.id))
    )
    for template_id, version, code in session.execute(drafts):
        if (template_id, version) in held:
            found[template_id].append(f"should provoke {code}")
    for (template_id, version), studies in contested(session, "upheld").items():
        found[template_id].append(f"a contest of version {version} was upheld in {', '.join(studies)}")
    return {template_id: "; ".join(dict.fromkeys(said)) for template_id, said in found.items()}


def contested(session: Session, status: str) -> dict[Key, tuple[str, ...]]:
    """By version: the studies, as `study NAME`, in which one of its golds has a contest with this status."""
    statement = (
        select(col(InstanceRow.template_id), col(InstanceRow.template_version), col(StudyRow.name))
        .select_from(ContestRow)
        .join(GenerationRow, col(GenerationRow.id) == col(ContestRow.generation))
        .join(InstanceRow, col(InstanceRow.id) == col(GenerationRow.instance))
        .join(StudyRow, col(StudyRow.id) == col(ContestRow.study_id))
        .where(col(ContestRow.status) == status)
        .distinct()
        .order_by(col(StudyRow.name))
    )
    found: dict[Key, list[str]] = defaultdict(list)
    for template_id, version, study in session.execute(statement):
        found[template_id, version].append(f"study {study}")
    return {key: tuple(studies) for key, studies in found.items()}
