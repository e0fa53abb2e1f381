"""All tables. Importing this fills `Row.metadata`."""

from db.rows.base import Row, utc_now
from db.rows.benchmark import BenchmarkRow, GenerationRow, InstanceRow, RunRow, ScoreRow, TemplateRow
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
    "GenerationRow",
    "GuidelineRow",
    "InstanceRow",
    "InvalidationRow",
    "LoginFailureRow",
    "ReferenceRow",
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
    "TemplateRow",
    "UserRow",
    "utc_now",
]
