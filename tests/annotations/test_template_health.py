"""The health of templates: doubts counted once, and which classes a template is quiet on."""

from dataclasses import replace

import numpy as np

from clinicnum.annotations.report.failure_class_shares import JudgedGenerations
from clinicnum.annotations.report.sections.failure_signatures import of_class
from clinicnum.annotations.report.sections.template_health import template_section
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.clustered_intervals import Subjects
from tests.annotations.report_example import study


def test_an_item_that_is_doubted_twice_counts_once() -> None:
    tables = study()
    twice = tables.contests[0].model_copy(update={"contest_id": "again"})
    sections = [
        template_section(StudyView(tables.model_copy(update={"contests": contests}))).paragraphs[0]
        for contests in (tables.contests, (*tables.contests, twice))
    ]
    assert sections[0] == sections[1]
    assert "(how many in brackets): heart_rate_at" in sections[0]


def test_a_class_is_not_quiet_where_most_failures_have_none() -> None:
    failed = ("undetermined",) * 17
    failures = JudgedGenerations(
        subjects=Subjects.of(map(str, range(17))),
        weights=np.ones(17),
        wrong=np.ones(17, dtype=bool),
        classes=failed,
        scored_wrong=1.0,
    )
    assert of_class(failures, "hallucination", 0.6).startswith("open: the class of 17 of 17 failures")
    told = replace(failures, classes=("omission",) * 17)
    assert of_class(told, "hallucination", 0.6) == "quiet"
