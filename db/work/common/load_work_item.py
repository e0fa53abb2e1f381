"""Load an assignment as its annotator may see it, with suggestions and pace.

Except in a study that shows the reference, the gold leaves the database only after a judgement.
"""

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from statistics import median
from typing import Any

from pydantic import ValidationError
from sqlalchemy import bindparam, select
from sqlmodel import Session

from clinicnum.annotations.assignment import shows_suggestion
from clinicnum.annotations.chart_facts import chart_facts
from clinicnum.annotations.claims.shown_sentences import shown_claims
from clinicnum.annotations.criteria.ticks import proposed_ticks
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.pairwise.pairing import left_side
from clinicnum.annotations.read_stored_judgements import own_part, read_stored
from clinicnum.annotations.study_kind import kind_of_design
from clinicnum.annotations.study_seed import parse_seed
from clinicnum.annotations.work_item import (
    AnswerPair,
    Progress,
    RevealedGold,
    Workitem,
    reveal_gold,
    shown_answer,
    shown_prompt,
    shown_reference,
    view_instance,
)
from clinicnum.credentialed_data import data_use
from clinicnum.db.rows import AnnotationRow, ReferenceRow, Row
from clinicnum.db.work.common.study_criteria import criteria_of_item
from clinicnum.inference.model_metadata import asks_form
from clinicnum.templates.template import Template
from clinicnum.types import Generation, Instance, Score, Suggestion

PACE_OVER = 20
"""Number of recent items over which an annotator's median time is computed."""

# Every request of the annotate page comes through here. Statements are built once and select plain columns,
# because building a statement or an ORM object takes longer than the query itself.
_T = Row.metadata.tables
_MINE, _STUDY, _OWN = _T["assignment"], _T["study"], _T["study_annotator"]
_ITEM = (
    select(
        _MINE,
        _STUDY.c.name.label("study_name"),
        _STUDY.c.taxonomy_id,
        _STUDY.c.taxonomy_version,
        _STUDY.c.guideline_version,
        _STUDY.c.deadline,
        _STUDY.c.suggestion_policy,
        _STUDY.c.design,
        _STUDY.c.seed,
        _OWN.c.pseudonym,
        _OWN.c.done,
        _OWN.c.skipped,
        _OWN.c.total,
        _T["study_item"].c.second,
        _T["generation"].c.payload.label("generation_payload"),
        _T["instance"].c.payload.label("instance_payload"),
        _T["template"].c.payload.label("template_payload"),
        _T["study_run"].c.meta.label("run_meta"),
        _T["benchmark"].c.meta.label("benchmark_meta"),
        _T["score"].c.payload.label("score_payload"),
    )
    .join(_STUDY, _STUDY.c.id == _MINE.c.study_id)
    .join(_T["benchmark"], _T["benchmark"].c.id == _STUDY.c.benchmark_id)
    .join(_OWN, (_OWN.c.study_id == _MINE.c.study_id) & (_OWN.c.user_id == _MINE.c.user_id))
    .join(
        _T["study_item"],
        (_T["study_item"].c.study_id == _MINE.c.study_id)
        & (_T["study_item"].c.generation == _MINE.c.generation),
    )
    .join(_T["generation"], _T["generation"].c.id == _MINE.c.generation)
    .join(_T["instance"], _T["instance"].c.id == _T["generation"].c.instance)
    .join(
        _T["template"],
        (_T["template"].c.template_id == _T["instance"].c.template_id)
        & (_T["template"].c.version == _T["instance"].c.template_version),
    )
    .join(
        _T["study_run"],
        (_T["study_run"].c.study_id == _MINE.c.study_id) & (_T["study_run"].c.run == _T["generation"].c.run),
    )
    .join(
        _T["study_score"],
        (_T["study_score"].c.study_id == _MINE.c.study_id)
        & (_T["study_score"].c.generation == _MINE.c.generation),
    )
    .join(_T["score"], _T["score"].c.id == _T["study_score"].c.score)
    .where(_MINE.c.id == bindparam("of"))
)
_ANSWER = (
    select(_T["generation"].c.payload, _T["study_run"].c.meta)
    .join(_T["study_run"], _T["study_run"].c.run == _T["generation"].c.run)
    .where(_T["study_run"].c.study_id == bindparam("study_id"), _T["generation"].c.id == bindparam("of"))
)
_METAS = select(_T["study_run"].c.meta).where(_T["study_run"].c.study_id == bindparam("study_id"))
_SUGGESTIONS = select(_T["suggestion"].c.payload).where(
    _T["suggestion"].c.study_id == bindparam("study_id"),
    _T["suggestion"].c.generation == bindparam("generation"),
)
_PACE = (
    select(_MINE.c.active_ms)
    .where(
        _MINE.c.user_id == bindparam("user_id"),
        _MINE.c.status == "submitted",
        _MINE.c.study_id == bindparam("study_id"),
    )
    .order_by(_MINE.c.position.desc())
    .limit(PACE_OVER)
)
_PACE_OF_ALL = (
    select(_MINE.c.active_ms)
    .join(_T["user"], _T["user"].c.id == _MINE.c.user_id)
    .where(_MINE.c.study_id == bindparam("study_id"), _MINE.c.status == "submitted")
    .where(_T["user"].c.annotator_kind == "human")
    .order_by(_MINE.c.id)
    .limit(10 * PACE_OVER)
)
_PAYLOAD = select(_T["annotation"].c.payload).where(
    _T["annotation"].c.assignment_id == bindparam("of"),
    _T["annotation"].c.revision == bindparam("revision"),
)


def load_workitem(session: Session, assignment_id: str) -> Workitem:
    """The assignment as its annotator may see it. The caller has checked that it exists and is the
    annotator's own.
    """
    session.flush()
    row = session.execute(_ITEM, {"of": assignment_id}).one()
    shown = Instance.model_validate(row.instance_payload)
    answer = Generation.model_validate(row.generation_payload)
    metas = session.scalars(_METAS, {"study_id": row.study_id}).all()
    pair = None if row.second is None else _pair(session, row, answer, metas)
    seen = shown_answer(answer, row.run_meta) if pair is None else pair.answers[0]
    judged, kind = row.revealed_at is not None, kind_of_design(row.design)
    key = {"study_id": row.study_id, "generation": row.generation}
    criteria = criteria_of_item(session, study_id=row.study_id, instance_id=shown.instance_id)
    proposed = proposed_ticks(criteria, shown, answer)
    visible = suggestions_visible(
        session,
        **key,
        policy=row.suggestion_policy,
        seed=row.seed,
        judged=judged,
        proposed=bool(proposed),
    )
    return Workitem(
        assignment_id=row.id,
        revision=row.revision,
        status=row.status,
        study_id=row.study_id,
        study_name=row.study_name,
        kind=kind,
        taxonomy_id=row.taxonomy_id,
        taxonomy_version=row.taxonomy_version,
        guideline_version=row.guideline_version,
        deadline=row.deadline,
        fields=row.design.get("fields", ()),
        criteria=criteria,
        proposed=proposed if visible else {},
        data_use=data_use(row.benchmark_meta, [shown]),
        instance=view_instance(shown),
        chart=chart_facts(_template(row.template_payload), shown, revealed=judged),
        asked=shown_prompt(shown, run_metas=metas, benchmark_meta=row.benchmark_meta),
        text=seen.text,
        ended=seen.ended,
        thinking=seen.thinking,
        judgement=_last_judgement(session, row),
        draft=row.draft,
        skip_reason=row.skip_reason,
        flag=row.flag,
        training=row.round == "training",
        feedback=_feedback(session, row),
        suggestions=_suggestions(session, **key) if visible else (),
        progress=_progress(session, row),
        reveal=_reveal(row, shown, answer, metas) if judged and kind == "failures" else None,
        pair=pair,
        reference=shown_reference(shown) if row.design.get("reference") else None,
        claims=shown_claims(shown, answer, text=seen.text, locked=judged) if kind == "claims" else None,
    )


def _pair(session: Session, row: Any, answer: Generation, run_metas: Sequence[dict[str, Any]]) -> AnswerPair:
    """The two answers in the order of this annotator; the names of all models of the study are masked."""
    payload, meta = session.execute(_ANSWER, {"study_id": row.study_id, "of": row.second}).one()
    left = left_side(
        seed=parse_seed(row.seed), generation=row.generation, annotator=row.pseudonym, round_=row.round
    )
    first = shown_answer(answer, row.run_meta, *run_metas)
    second = shown_answer(Generation.model_validate(payload), meta, *run_metas)
    return AnswerPair(left=left, answers=(first, second) if left == "first" else (second, first))


def _reveal(
    row: Any, shown: Instance, answer: Generation, run_metas: Iterable[dict[str, Any]]
) -> RevealedGold:
    score = Score.model_validate(row.score_payload)
    return reveal_gold(shown, answer, score, form_asked=all(map(asks_form, run_metas)))


def _template(payload: dict[str, Any]) -> Template | None:
    """The template of an item; None where only a benchmark mentions it."""
    return _read_template(json.dumps(payload)) if payload else None


@lru_cache(maxsize=512)  # to read and check one takes longer than the whole rest of a request
def _read_template(payload: str) -> Template | None:
    try:
        return Template.model_validate_json(payload)
    except ValidationError:  # an earlier version of the program kept it; the item is shown without its facts
        return None


def suggestions_visible(
    session: Session,
    *,
    study_id: str,
    generation: str,
    policy: str,
    seed: str,
    judged: bool,
    proposed: bool = False,
) -> bool:
    """Whether an item's suggestions are visible to its annotator now.

    `judged`: whether they have judged it; `proposed`: whether ticks of criteria are proposed, which count as
    suggestions. Under the policy `randomised` only the random draw decides, even if the item has no
    suggestion: the two arms must not differ in whether a suggestion exists.
    """
    shown = shows_suggestion(policy, generation=generation, seed=parse_seed(seed), judged=judged)
    if not shown or policy == "randomised":
        return shown
    return proposed or bool(_suggestions(session, study_id=study_id, generation=generation))


def _suggestions(session: Session, *, study_id: str, generation: str) -> tuple[Suggestion, ...]:
    payloads = session.scalars(_SUGGESTIONS, {"study_id": study_id, "generation": generation})
    found = [Suggestion.model_validate(payload) for payload in payloads]
    return tuple(sorted(found, key=lambda one: (one.rank, one.code)))


def _feedback(session: Session, row: Any) -> Judgement | None:
    if row.round != "training" or row.status != "submitted":
        return None
    reference = session.get_one(ReferenceRow, (row.study_id, row.generation))
    return read_stored(Judgement, reference.payload)


def own_pace(session: Session, *, user_id: str, study_id: str) -> int | None:
    """Median active time of the annotator's last items in the study, in ms; None before the first."""
    return _median(session.scalars(_PACE, {"user_id": user_id, "study_id": study_id}).all())


def expected_pace(session: Session, *, user_id: str, study_id: str) -> int | None:
    """Median active time per item in the study, in ms: of the annotator, or before their first item of all
    people; None before anybody's first.
    """
    own = own_pace(session, user_id=user_id, study_id=study_id)
    return own or _median(session.scalars(_PACE_OF_ALL, {"study_id": study_id}).all())


def _median(times: Sequence[int]) -> int | None:
    return round(median(times)) if times else None


def _progress(session: Session, row: Any) -> Progress:
    about = {"user_id": row.user_id, "study_id": row.study_id}
    own = own_pace(session, **about)
    return Progress(
        done=row.done,
        skipped=row.skipped,
        # An annotator who does more than an even share sees the total grow, not 21 of 20.
        total=max(row.total, row.done + (row.status != "submitted")),
        median_ms=own,
        expected_ms=own or expected_pace(session, **about),
    )


def judgement_of(row: AnnotationRow) -> Judgement:
    """The judgement within a stored annotation. Raises InputError for one that a newer version wrote."""
    return own_part(row.payload)


def _last_judgement(session: Session, row: Any) -> Judgement | None:
    if row.revision == 0:
        return None
    return own_part(session.scalars(_PAYLOAD, {"of": row.id, "revision": row.revision}).one())
