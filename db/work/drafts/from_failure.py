"""Start a draft from a failure, a cluster of failures or an upheld contest, and record which ones."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum import credentialed_data
from clinicnum.annotations.curation.draft_from_failure import InitialDraft, begin_content, derive_template_id
from clinicnum.annotations.curation.draft_sources import Source
from clinicnum.annotations.curation.failure_clusters import cluster_failures
from clinicnum.annotations.curation.labelled_failure import Failure, commonest_template
from clinicnum.annotations.role_rights import require
from clinicnum.db.rows import (
    BenchmarkRow,
    ContestRow,
    DraftRow,
    GenerationRow,
    InstanceRow,
    StudyRow,
    TemplateRow,
)
from clinicnum.db.work.accounts.users import get_user
from clinicnum.db.work.bank import template_versions
from clinicnum.db.work.drafts import drafts
from clinicnum.db.work.drafts.draft_sources import labelled_failures
from clinicnum.db.work.review.review_queries import authors_of
from clinicnum.errors import InputError, NotAllowed
from clinicnum.templates.parse_template import content_of
from clinicnum.translatable_text import Translatable
from clinicnum.types import Instance

NO_TEMPLATE = Translatable(
    "This question was made elsewhere, and templates ask about vital signs alone, so no template can be made "
    "of it. Begin an item from it on the page Failures instead: a paraphrase, a counterfactual or a new "
    "question for the next version of its benchmark."
)
MOST_SOURCES = 20
"""Number of failures of a cluster that a draft is linked with at most: those nearest to its centre."""


def begin_from_failures(
    session: Session, *, actor: str, failures: Sequence[Failure], next_version: bool = False
) -> str:
    """Start a draft from one failure, or from a cluster with its most typical failure first; returns its id.

    With `next_version` the draft is the next version of the template of most of the failures, otherwise a new
    template modelled on that of the first. Raises InputError if a failure's study has been reopened, if its
    question was imported and no template could give its answer, and as `drafts.begin` does.
    """
    if next_version:
        template, _number = commonest_template(failures)
        failures = sorted(failures, key=lambda one: one.template_id != template)
    first = failures[0]
    sources = failure_sources(session, failures)
    begun = _begin(session, first.instance, next_version=next_version)
    said = failure_note(failures, shareable=begun.shareable)
    return drafts.begin(
        session,
        author=actor,
        content=begun.content,
        base=(first.template_id, first.version) if next_version else None,
        sources=sources,
        note=" ".join((said, *begun.remarks)),
        provokes=first.code,
        editors=_writers(session, first.instance),
    )


def failure_sources(session: Session, failures: Sequence[Failure]) -> list[Source]:
    """The sources of a draft made from failures. Raises InputError if a study of them has been reopened."""
    of, kind = failures[:MOST_SOURCES], "failure" if len(failures) == 1 else "cluster"
    for study_id in sorted({one.study_id for one in of}):
        if session.get_one(StudyRow, study_id).status != "closed":
            raise InputError(
                Translatable("the study was reopened; its labels are shown when it is closed again")
            )
    return [Source(study_id=one.study_id, generation=one.generation, kind=kind) for one in of]


def failure_note(failures: Sequence[Failure], *, shareable: bool) -> str:
    """The note of a draft made from failures: which failure it is to provoke. Values of the patient are left
    out unless `shareable`.
    """
    first = failures[0]
    alike = f" It stands for {len(failures)} failures that are alike." if len(failures) > 1 else ""
    values = f"answered {first.parsed or 'nothing that could be read'} where {first.gold} is right"
    failed = values if shareable else "gave a wrong answer"
    return f"Should provoke {first.code}. In study {first.study}, {first.model} {failed}.{alike}"


def begin_from_generations(session: Session, *, user_id: str, generations: Collection[str]) -> str:
    """Start a draft from the largest cluster of the labelled failures among generations (row ids); returns
    its id.

    Raises NotAllowed for an account that may not curate, InputError if none is a labelled failure of a closed
    study, and as `begin_from_failures` does.
    """
    user = get_user(session, user_id)
    if user is None or not user.active:
        raise NotAllowed(Translatable("This account is switched off; ask an admin."))
    require(user.role, "curate")
    wanted = frozenset(generations)
    failures = [one for one in labelled_failures(session) if one.generation in wanted]
    if not failures:
        raise InputError(
            Translatable(
                "No wrong answer of this slice is labelled as a failure in a closed study yet; have it "
                "labelled in a study first."
            )
        )
    (largest, *_rest) = cluster_failures(failures).clusters
    return begin_from_failures(session, actor=user_id, failures=largest.members)


def begin_from_contest(session: Session, *, actor: str, contest: str, next_version: bool = True) -> str:
    """Start a draft from an upheld contest; returns its id. A proposed gold becomes the example's answer.

    Raises InputError for a contest that is not upheld, and as `begin_from_failures` does.
    """
    row = find_upheld(session, contest)
    answered = session.get_one(GenerationRow, row.generation)
    begun = _begin(session, answered.instance, next_version=next_version, answer=row.proposed_gold)
    asked = session.get_one(InstanceRow, answered.instance)
    said = contest_note(row, shareable=begun.shareable)
    return drafts.begin(
        session,
        author=actor,
        content=begun.content,
        base=(asked.template_id, asked.template_version) if next_version else None,
        sources=[contest_source(row)],
        note=" ".join((said, *begun.remarks)),
        editors=_writers(session, answered.instance),
    )


def find_upheld(session: Session, contest: str) -> ContestRow:
    """An upheld contest. Raises InputError for any other."""
    row = None if "\0" in contest else session.get(ContestRow, contest)
    if row is None or row.status != "upheld":
        raise InputError(Translatable("that contest is not upheld; choose one from the list"))
    return row


def contest_source(row: ContestRow) -> Source:
    """A contest as the source of a draft."""
    return Source(study_id=row.study_id, generation=row.generation, kind="contest", contest=row.annotation_id)


def contest_note(row: ContestRow, *, shareable: bool) -> str:
    """The note of a draft made from an upheld contest: what was decided. The claim is left out unless
    `shareable`, as it may hold values of a patient.
    """
    if not shareable:
        return "A contest was upheld; it says why."
    claim = f"the gold is wrong, {row.proposed_gold} is right" if row.proposed_gold else "it is ambiguous"
    comment = (row.decision or {}).get("comment") or "no comment"
    return f"A contest was upheld: {claim}. The adjudicator wrote: {comment}"


def _writers(session: Session, instance: str) -> list[str]:
    """User ids of the authors of the template that the draft starts from, even if it becomes another
    template.
    """
    row = session.get_one(InstanceRow, instance)
    return sorted(authors_of(session, row.template_id, row.template_version))


def begin_next_version(session: Session, *, actor: str, template_id: str, version: int) -> str:
    """Start a draft of the template's next version with the content of this version; returns its id.

    Raises InputError for a version that is unknown or whose content is, NotAllowed for an account that may
    not curate.
    """
    template = template_versions.template_of(template_versions.find_version(session, template_id, version))
    content = content_of(template) | {
        "version": template_versions.next_version(session, template_id),
        "status": "draft",
    }
    return drafts.begin(session, author=actor, content=content, base=(template_id, version))


def _begin(session: Session, instance: str, *, next_version: bool, answer: str | None = None) -> InitialDraft:
    row = session.get_one(InstanceRow, instance)
    asked = Instance.model_validate(row.payload)
    if asked.operation == "external" and asked.scoring != "numeric":
        raise InputError(NO_TEMPLATE)
    template = session.get_one(TemplateRow, (row.template_id, row.template_version))
    benchmark: dict[str, Any] = session.get_one(BenchmarkRow, row.benchmark_id).meta
    if next_version:
        named, version = row.template_id, template_versions.next_version(session, row.template_id)
    else:
        named, version = derive_template_id(asked, _taken(session)), 1
    return begin_content(
        asked,
        template.payload,
        template_id=named,
        version=version,
        shareable=credentialed_data.data_use(benchmark, [asked]) is None,
        answer=answer,
    )


def _taken(session: Session) -> set[str]:
    """Ids of the bank's templates and of open drafts."""
    drafted = session.scalars(select(col(DraftRow.content)).where(col(DraftRow.status) == "open"))
    return {
        *session.scalars(select(col(TemplateRow.template_id)).distinct()),
        *(str(content.get("id")) for content in drafted),
    }
