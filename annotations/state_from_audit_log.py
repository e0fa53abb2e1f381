"""The state that a study's tables must have, derived from its audit log alone.

The log records every judgement, skip, flag, decision and contest in order, so one pass over it gives the
resulting state. Rows written by later versions also hold the hash of everything that was stored.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from clinicnum.annotations.consequences_of_upholding import canonical_claim
from clinicnum.annotations.judgement import default_of
from clinicnum.annotations.row_states_from_audit import (
    AdjudicationState,
    AnnotationState,
    AssignmentState,
    ContestState,
    InvalidationState,
)
from clinicnum.io.jsonl import sha256_json

Told = Mapping[str, Any]


@dataclass
class StudyState:
    """The state of a study after the log rows read so far.

    Entities are identified by the id under which they were first logged; `current` gives their present id.
    """

    status: str | None = None
    deadline: str | None = None
    """As an ISO date."""
    qualifications: dict[str, tuple[int, str | None]] = field(default_factory=dict)
    """Account -> which attempt at the training counts, and why it was qualified by hand, if it was."""
    assignments: dict[str, AssignmentState] = field(default_factory=dict)
    annotations: dict[str, AnnotationState] = field(default_factory=dict)
    contests: dict[str, ContestState] = field(default_factory=dict)
    adjudications: dict[str, AdjudicationState] = field(default_factory=dict)
    invalidations: dict[str, InvalidationState] = field(default_factory=dict)
    """By the id of the invalidated instance."""
    guidelines: dict[str, str] = field(default_factory=dict)
    """Version -> hash of its text."""
    criteria: dict[str, str] = field(default_factory=dict)
    """Item and key of each version of a criterion -> hash of all that is stored of it."""
    messages: dict[str, str] = field(default_factory=dict)
    """Message -> hash of everything that is stored of it."""
    read: set[str] = field(default_factory=set)
    """The messages that their annotators have read."""
    rulings: set[tuple[str, str]] = field(default_factory=set)
    """(guideline version, message) of the rulings that a version was made with."""
    unreadable: list[int] = field(default_factory=list)
    """Sequence numbers of rows that lack what rows of their kind must contain."""
    replaced: dict[str, str] = field(default_factory=dict)
    """Id -> the id by which it was replaced."""
    _first: dict[str, str] = field(default_factory=dict)
    _contested: dict[str, list[str]] = field(default_factory=dict)
    """Assignment -> its contests."""

    def take(self, seq: int, actor: str, action: str, before: Told | None, after: Told | None) -> None:
        """Apply row `seq` of the log; kinds of rows that do not affect this state are ignored.

        A row that cannot be read is added to `unreadable`.
        """
        step = _STEPS.get(action)
        if step is None:
            return
        try:
            step(self, seq, actor, before or {}, after or {})
        except (KeyError, TypeError, ValueError, AttributeError):
            self.unreadable.append(seq)

    def first(self, key: str) -> str:
        """The id under which the row now known as `key` was first logged."""
        return self._first.get(key, key)

    def current(self, key: str) -> str:
        """The present id of the row first logged as `key`."""
        return self.replaced.get(key, key)

    def assignment(self, key: str) -> AssignmentState:
        """The state of an assignment, created when the log first mentions it."""
        return self.assignments.setdefault(self.first(key), AssignmentState())


def judgement_hash(judgement: Told) -> str:
    """The hash of a logged judgement, without its fields that are None, as later versions add such fields."""
    return sha256_json({name: value for name, value in judgement.items() if value is not None})


def _judgement_field(judgement: Told, field: str) -> Any:
    """A field of a logged judgement; the default value of a field that a later version added."""
    return judgement.get(field, default_of(field))


def _save(state: StudyState, seq: int, actor: str, before: Told, after: Told) -> None:
    _revise(state, seq, after, submitted=False)


def _submit(state: StudyState, seq: int, actor: str, before: Told, after: Told) -> None:
    earlier = state.annotations.get(state.first(before["annotation_id"])) if before else None
    judgement = after["judgement"]
    _revise(state, seq, after, submitted=True)
    assignment = state.assignment(after["assignment_id"])
    assignment.status, assignment.skip_reason = "submitted", None
    item = _judgement_field(judgement, "item_judgement")
    if item is not None and (item != "valid" or (earlier is not None and earlier.submitted)):
        _follow(state, after)


def _revise(state: StudyState, seq: int, after: Told, *, submitted: bool) -> None:
    judgement = after["judgement"]
    state.annotations[after["annotation_id"]] = AnnotationState(
        assignment=state.first(after["assignment_id"]),
        revision=after["revision"],
        submitted=submitted,
        item_judgement=_judgement_field(judgement, "item_judgement"),
        judgement=judgement_hash(judgement),
        payload=after.get("sha256"),
        seq=seq,
    )
    state.assignment(after["assignment_id"]).revision = after["revision"]


def _follow(state: StudyState, after: Told) -> None:
    """Update an annotator's contests after a judgement, as `follow_judgement` of
    `db.work.annotation.contests_from_judgements` does.

    A contest with the same claim stays as it is, an open contest with another claim is withdrawn, and a claim
    without a contest gets one.
    """
    judgement = after["judgement"]
    kind, proposed = (
        _judgement_field(judgement, "item_judgement"),
        _judgement_field(judgement, "proposed_gold"),
    )
    own = state._contested.setdefault(state.first(after["assignment_id"]), [])
    made = False
    for contest in (state.contests[key] for key in own):
        if contest.status == "withdrawn":
            continue
        if canonical_claim(contest.kind, contest.proposed_gold) == canonical_claim(kind, proposed):
            made = True
        elif contest.status == "open":
            contest.status = "withdrawn"
    if kind != "valid" and not made:
        key = after["annotation_id"]
        state.contests[key] = ContestState(state.first(after["assignment_id"]), kind, proposed)
        own.append(key)


def _skip(state: StudyState, seq: int, actor: str, before: Told, after: Told) -> None:
    assignment = state.assignment(after["assignment_id"])
    assignment.status, assignment.skip_reason = "skipped", after["reason"]


def _flag(state: StudyState, seq: int, actor: str, before: Told, after: Told) -> None:
    state.assignment(after["assignment_id"]).flag = after["flag"]


def _answer_flag(state: StudyState, seq: int, actor: str, before: Told, after: Told) -> None:
    _flag(state, seq, actor, before, after)
    _post(state, seq, actor, before, after)


def _post(state: StudyState, seq: int, actor: str, before: Told, after: Told) -> None:
    state.messages.update(after.get("messages") or {})


def _read(state: StudyState, seq: int, actor: str, before: Told, after: Told) -> None:
    state.read.update(after["read"])


def _adjudicate(state: StudyState, seq: int, actor: str, before: Told, after: Told) -> None:
    payload = {name: after[name] for name in ("judgement", "comment", "taken_over", "taxonomy_version")}
    state.adjudications[after["adjudication_id"]] = AdjudicationState(
        after["generation"], actor, payload, frozenset(map(state.first, after["cites"]))
    )


def _uphold(state: StudyState, seq: int, actor: str, before: Told, after: Told) -> None:
    decision = {name: after[name] for name in ("comment", "scope", "rules")}
    _decide(state, actor, after, "upheld", decision)
    _post(state, seq, actor, before, after)
    told = after.get("invalidated") or {}
    for instance in after["instances"]:
        state.invalidations[instance] = InvalidationState(
            state.first(after["contests"][0]), told.get(instance)
        )


def _reject(state: StudyState, seq: int, actor: str, before: Told, after: Told) -> None:
    _decide(state, actor, after, "rejected", {"comment": after["comment"]})
    _post(state, seq, actor, before, after)


def _decide(state: StudyState, actor: str, after: Told, status: str, decision: dict[str, Any]) -> None:
    for key in after["contests"]:
        contest = state.contests[state.first(key)]
        contest.status, contest.decided_by, contest.decision = status, actor, decision


def _create(state: StudyState, seq: int, actor: str, before: Told, after: Told) -> None:
    state.status, state.deadline = "open", after.get("deadline")
    _criteria(state, seq, actor, before, after)


def _criteria(state: StudyState, seq: int, actor: str, before: Told, after: Told) -> None:
    state.criteria.update(after.get("criteria") or {})


def _status(state: StudyState, seq: int, actor: str, before: Told, after: Told) -> None:
    state.status = after["status"]


def _guideline(state: StudyState, seq: int, actor: str, before: Told, after: Told) -> None:
    state.guidelines.setdefault(before["guideline_version"], before["text_id"])
    state.guidelines[after["guideline_version"]] = after["text_id"]
    state.rulings.update((after["guideline_version"], one) for one in after.get("rulings") or ())


def _replace(state: StudyState, seq: int, actor: str, before: Told, after: Told) -> None:
    for ids in after.values():
        for old, new in ids.items():
            first = state.first(old)
            state.replaced[first], state._first[new] = new, first


def _record(state: StudyState, seq: int, actor: str, before: Told, after: Told) -> None:
    """Apply the hashes that a migration recorded for content that earlier log rows do not mention."""
    for key, told in (after.get("annotations") or {}).items():
        annotation = state.annotations.get(state.first(key))
        if annotation is not None:
            annotation.payload = told
    for key, told in (after.get("invalidations") or {}).items():
        if key in state.invalidations:
            state.invalidations[key].told = told


def _repeat_training(state: StudyState, seq: int, actor: str, before: Told, after: Told) -> None:
    for key in after["assignments"]:
        assignment = state.assignment(key)
        assignment.status, assignment.skip_reason = None, None
    state.qualifications[after["user"]] = after["attempt"], None


def _move(state: StudyState, seq: int, actor: str, before: Told, after: Told) -> None:
    for key in (*after["released"], *after.get("assignments", ())):
        assignment = state.assignment(key)
        assignment.status, assignment.skip_reason = None, None


def _qualify(state: StudyState, seq: int, actor: str, before: Told, after: Told) -> None:
    state.qualifications[after["user"]] = before["attempt"], after["reason"]


def _deadline(state: StudyState, seq: int, actor: str, before: Told, after: Told) -> None:
    state.deadline = after["deadline"]


def _remove(state: StudyState, seq: int, actor: str, before: Told, after: Told) -> None:
    """Empty the state: the study was removed, as a sample project can be."""
    vars(state).update(vars(StudyState(unreadable=state.unreadable)))


_STEPS: Mapping[str, Callable[[StudyState, int, str, Told, Told], None]] = {
    "save_judgement": _save,
    "submit": _submit,
    "skip": _skip,
    "requeue": _move,
    "reassign": _move,
    "repeat_training": _repeat_training,
    "qualify_annotator": _qualify,
    "change_deadline": _deadline,
    "flag": _flag,
    "answer_flag": _answer_flag,
    "post_message": _post,
    "read_answers": _read,
    "adjudicate": _adjudicate,
    "uphold_contest": _uphold,
    "reject_contest": _reject,
    "create_study": _create,
    "pause_study": _status,
    "reopen_study": _status,
    "close_study": _status,
    "change_guideline": _guideline,
    "change_criteria": _criteria,
    "remove_study": _remove,
    "replace_ids": _replace,
    "record_state": _record,
}
