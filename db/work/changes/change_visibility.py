"""Which of a study's label changes an account may see, and under which names."""

from dataclasses import dataclass
from typing import Literal

from sqlalchemy import or_, select
from sqlmodel import Session, col

from clinicnum.annotations.role_rights import may, require
from clinicnum.db.rows import AnnotationRow, AssignmentRow, AuditRow, StudyAnnotatorRow, StudyRow, UserRow
from clinicnum.db.work.common.adjudication_decisions import pseudonyms_of
from clinicnum.db.work.common.barred_studies import refuse_barred
from clinicnum.db.work.common.model_masking_period import is_masked
from clinicnum.errors import NotAllowed
from clinicnum.translatable_text import Translatable

Kind = Literal["changed", "judgement", "decision", "contest", "skip", "flag"]
_JUDGING = ("save_judgement", "submit")
ACTIONS: dict[Kind, tuple[str, ...]] = {
    "changed": _JUDGING,
    "judgement": _JUDGING,
    "decision": ("adjudicate",),
    "contest": ("uphold_contest", "reject_contest"),
    "skip": ("skip",),
    "flag": ("flag", "answer_flag"),
}
"""By kind; `changed` are the judgements that replaced another one."""
ALL = tuple(dict.fromkeys(action for actions in ACTIONS.values() for action in actions))
DECIDING = (*ACTIONS["decision"], *ACTIONS["contest"], "answer_flag")
"""Actions of adjudicators; all other actions are those of annotators."""


@dataclass(frozen=True)
class Visibility:
    """What the reader may see of a study's changes."""

    user_id: str
    annotators: dict[str, str]
    """Displayed name by user id; empty, like `deciders`, if the reader may not tell people apart."""
    deciders: dict[str, str]
    """Displayed name of adjudicators, separate as one account may be both under two pseudonyms."""

    def people(self) -> dict[str, tuple[str, tuple[str, ...]]]:
        """By displayed name: the account, and the actions it took under this name."""
        labelling = tuple(action for action in ALL if action not in DECIDING)
        found = {name: (key, labelling) for key, name in self.annotators.items()}
        for key, name in self.deciders.items():
            found[name] = (key, DECIDING if name not in found else ALL)
        return found

    def who(self, row: AuditRow) -> str:
        """The displayed name of the account that made the change: `you` for the reader, and only the role for
        an account that the reader may not tell from others.
        """
        if row.actor == self.user_id:
            return "you"
        decides = row.action in DECIDING
        names = self.deciders if decides else self.annotators
        return names.get(row.actor, "an adjudicator" if decides else "an annotator")

    def sees(self, session: Session, row: AuditRow) -> bool:
        """Whether a change is shown. While models are masked, of others' changes only those that replaced a
        submitted judgement are.
        """
        if self.annotators or row.actor == self.user_id:
            return True
        if row.action != "submit" or row.before is None or row.after is None:
            return False
        about = row.before["assignment_id"]
        submitted = (
            select(col(AnnotationRow.submitted))
            .join(AssignmentRow, col(AssignmentRow.id) == col(AnnotationRow.assignment_id))
            .where(
                col(AssignmentRow.study_id) == row.chain,
                or_(col(AssignmentRow.id) == about, col(AssignmentRow.former_id) == about),
                col(AnnotationRow.revision) == row.before.get("revision"),
            )
        )
        return row.before["judgement"] != row.after["judgement"] and bool(session.scalar(submitted))


def visibility_of(session: Session, user_id: str, study_id: str) -> tuple[StudyRow, Visibility]:
    """The study, and what the account may see of its changes. Raises NotAllowed if it may see nothing."""
    user = session.get(UserRow, user_id)
    if user is None or not user.active:
        raise NotAllowed(Translatable("This account is switched off; ask an admin."))
    require(user.role, "see_agreement")  # type: ignore[arg-type]
    study = session.get(StudyRow, study_id)
    if study is None:
        raise NotAllowed(Translatable("There is no such study; choose one of those shown."))
    refuse_barred(session, user_id=user_id, study_id=study_id)
    if may(user.role, "manage_users"):  # type: ignore[arg-type]
        return study, Visibility(user_id, *_accounts(session, study_id))
    if not is_masked(session, study):
        own = select(col(StudyAnnotatorRow.user_id), col(StudyAnnotatorRow.pseudonym)).where(
            col(StudyAnnotatorRow.study_id) == study_id
        )
        annotators = {key: name for key, name in session.execute(own)}
        return study, Visibility(user_id, annotators, dict(pseudonyms_of(session, study_id)))
    return study, Visibility(user_id, {}, {})


def _accounts(session: Session, study_id: str) -> tuple[dict[str, str], dict[str, str]]:
    """(annotators, adjudicators), each as account name by user id: the study's annotators, and all accounts
    that adjudicate now or ever decided in the study.
    """
    names = {row.id: row.name for row in session.scalars(select(UserRow))}
    own = select(col(StudyAnnotatorRow.user_id)).where(col(StudyAnnotatorRow.study_id) == study_id)
    deciding = select(col(UserRow.id)).where(col(UserRow.role) == "adjudicator")
    deciders = {*session.scalars(deciding), *pseudonyms_of(session, study_id)}
    return (
        {key: names[key] for key in session.scalars(own)},
        {key: names[key] for key in sorted(deciders)},
    )
