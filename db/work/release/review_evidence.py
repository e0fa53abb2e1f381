"""The evidence that an accepted review round gives for a template in a release: counts and indices, without
names.
"""

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.curation.review_panel_statistics import PanelFigures
from clinicnum.annotations.curation.review_sheet import SubmittedReview
from clinicnum.authoring.template_trial import Trial
from clinicnum.db.rows import ReviewRoundRow, ReviewRow
from clinicnum.release import Evidence, ScaleEvidence


def evidence_of_round(session: Session, row: ReviewRoundRow) -> Evidence:
    """The evidence of a closed review round, as it was when the round closed."""
    outcome = row.outcome or {}
    figures = PanelFigures.model_validate(outcome["figures"])
    trial = Trial.model_validate(outcome["trial"])
    payloads = session.scalars(select(col(ReviewRow.payload)).where(col(ReviewRow.round_id) == row.id))
    given = [SubmittedReview.model_validate(payload) for payload in payloads if payload is not None]
    worked = [one for each in given for one in each.worked]
    return Evidence(
        round=row.number,
        experts=len(given),
        scales={
            name: ScaleEvidence(agreeing=one.agreeing, i_cvi=one.i_cvi, modified_kappa=one.kappa)
            for name, one in figures.items.items()
            if one.i_cvi is not None
        },
        s_cvi_ave=figures.scale.average,
        agreement={one.name: one.value for one in figures.agreement},
        worked=len(worked),
        worked_matched=sum(one.matches for one in worked),
        trial=dict(trial.by_representation),
        reviewed=row.sha256,
    )
