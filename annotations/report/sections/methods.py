"""A paragraph for a methods section, from the data; refused where annotators are simulated."""

from annotations.agreement.population import RULE
from annotations.report.model import Section
from annotations.report.view import StudyView


def methods_section(view: StudyView) -> Section:
    """The paragraph, or why there is none."""
    return Section(id="methods", title="Methods paragraph", paragraphs=(_paragraph(view),))


def _paragraph(view: StudyView) -> str:
    tables, chosen = view.tables, view.chosen
    if "simulated" in view.annotator_kind:
        return (
            "Refused: at least one annotator is simulated. A methods paragraph describes people who judged; "
            "run the study with people to get one."
        )
    judgements = chosen.annotations()
    if not judgements:
        return "None yet: no judgement has been submitted."
    annotators = len({one.annotator_id for one in judgements})
    subjects = len({view.instance(key).subject_id for key in chosen.by_generation})
    return (
        f"Of {len(tables.generations)} generations in {len(tables.runs)} run(s) on {len(tables.instances)} "
        f"instances, {len(tables.inclusions)} were drawn for annotation by strata with stored inclusion "
        f"probabilities. {annotators} annotators, blind to the model, to each other, and to gold and score "
        f"until their first judgement was saved, gave {len(judgements)} judgements on "
        f"{len(chosen.by_generation)} generations from {subjects} subjects (taxonomy {tables.taxonomy_name} "
        f"version {tables.taxonomy_version}, guideline {tables.guideline_version}, {tables.overlap} "
        f"annotators asked per generation). Agreement rests on {RULE}; "
        "consensus is by majority of at least two."
    )
