"""All tables. Importing this fills `Row.metadata`."""

from db.rows.base import Row, utc_now
from db.rows.benchmark import BenchmarkRow, GenerationRow, InstanceRow, RunRow, ScoreRow, TemplateRow
from db.rows.curation import (
    DraftRow,
    DraftSourceRow,
    ReleaseRow,
    ReleaseTemplateRow,
    ReviewCommentRow,
    ReviewRoundRow,
    ReviewRow,
    TemplateHealthRow,
)
from db.rows.judgement import (
    AdjudicationRow,
    AnnotationRow,
    AuditRow,
    CitationRow,
    ContestRow,
    InvalidationRow,
)
from db.rows.people import LoginFailureRow, SettingRow, UserRow
from db.rows.study import (
    AssignmentRow,
    GuidelineRow,
    ReferenceRow,
    StudyAnnotatorRow,
    StudyItemRow,
    StudyRow,
    StudyRunRow,
    StudyScoreRow,
    SuggestionRow,
    TaxonomyRow,
)

__all__ = [
    "AdjudicationRow",
    "AnnotationRow",
    "AssignmentRow",
    "AuditRow",
    "BenchmarkRow",
    "CitationRow",
    "ContestRow",
    "DraftRow",
    "DraftSourceRow",
    "GenerationRow",
    "GuidelineRow",
    "InstanceRow",
    "InvalidationRow",
    "LoginFailureRow",
    "ReferenceRow",
    "ReleaseRow",
    "ReleaseTemplateRow",
    "ReviewCommentRow",
    "ReviewRoundRow",
    "ReviewRow",
    "Row",
    "RunRow",
    "ScoreRow",
    "SettingRow",
    "StudyAnnotatorRow",
    "StudyItemRow",
    "StudyRow",
    "StudyRunRow",
    "StudyScoreRow",
    "SuggestionRow",
    "TaxonomyRow",
    "TemplateHealthRow",
    "TemplateRow",
    "UserRow",
    "utc_now",
]
