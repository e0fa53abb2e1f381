"""The default guideline of a new study, with real failures beside the taxonomy's rules."""

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.draw_study_items import Sample
from clinicnum.annotations.guideline import default_guideline
from clinicnum.annotations.guideline_cases import cases_section, find_cases
from clinicnum.annotations.study_inputs import Material
from clinicnum.annotations.taxonomy import Taxonomy
from clinicnum.credentialed_data import data_use
from clinicnum.db.rows import StudyItemRow, StudyRow


def guideline_with_cases(session: Session, material: Material, taxonomy: Taxonomy, sample: Sample) -> str:
    """Markdown: the taxonomy's rules, and failures on questions that no open study nor this one uses.

    Credentialed records are not quoted, as guidelines are exported with reports and bundles.
    """
    text = default_guideline(taxonomy)
    if data_use(material.benchmark_meta, material.instances, *(run.meta for run in material.runs)):
        return text
    groups = material.groups()
    elsewhere = (
        select(col(StudyItemRow.group_id))
        .join(StudyRow, col(StudyRow.id) == col(StudyItemRow.study_id))
        .where(col(StudyRow.status) != "closed")
    )
    judged = {groups[one.generation_id] for one in sample.placed} | set(session.scalars(elsewhere))
    cases = cases_section(find_cases(material, taxonomy, judged=judged), taxonomy)
    return f"{text}\n{cases}" if cases else text
