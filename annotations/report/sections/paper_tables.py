"""The section of tables that need scores only, as papers print them (`clinicnum.tables`)."""

import re
from dataclasses import replace

from clinicnum.annotations.report.paper_tables import report_table
from clinicnum.annotations.report.question_summary import made_elsewhere, subjects_word, templates_word
from clinicnum.annotations.report.report_content import Gap, Section
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.tables import PaperTable, paper_tables

TITLE = "Tables as papers print them"
OF_VARIANTS = ("broken_by_any_attack", "flips_by_axis", "personas")
OF_OUR_TEMPLATES = ("accuracy_by_factor", "accuracy_by_steps", "accuracy_by_template")
"""Tables left out for imported items."""
DIMENSIONS = "accuracy_by_dimension"
"""Left out here: it is in the accuracy section."""
MOST_SHOWN = 24
"""Most rows of an uncollapsed table."""
_TRACE = (
    "scores.csv: run_id, instance_id, status, lenient, parsed, operation, representation, variant, "
    "subject_id, template_id, flags; the runs' generations; the benchmark's instances"
)


def paper_tables_section(view: StudyView) -> Section:
    """Accuracy by factor, steps, template and patient; size of errors, effort, attacks, axes and personas."""
    elsewhere = made_elsewhere(view.tables.instances)
    variants = any(one.variant for one in view.tables.instances)
    wanted = [
        one
        for one in paper_tables([run.paired for run in view.runs])
        if not (elsewhere and one.name in OF_OUR_TEMPLATES)
        and (variants or one.name not in OF_VARIANTS)
        and one.name != DIMENSIONS
    ]
    missing = [Gap(what=one.caption, why=one.undefined) for one in wanted if one.undefined is not None]
    return Section(
        id="paper_tables",
        title=TITLE,
        holds_labels=False,
        gaps=tuple(missing),
        tables=tuple(
            report_table(_in_words(one, view), trace=_TRACE, detail=len(one.rows) > MOST_SHOWN)
            for one in wanted
            if one.undefined is None
        ),
    )


def _in_words(one: PaperTable, view: StudyView) -> PaperTable:
    """The table with its note in the words that suit items made elsewhere."""
    if not made_elsewhere(view.tables.instances):
        return one
    note = re.sub(r"neither variants nor flagged[^.,:]*\(V7\)", "no variants", one.note)  # none is flagged
    note = re.sub(r", n(?:either|one) flagged[^.,:]*\(V7\)", "", note)
    note = note.replace("templates", templates_word(view.tables.instances))
    return replace(one, note=note.replace("other subjects", f"other {subjects_word(view.tables.instances)}"))
