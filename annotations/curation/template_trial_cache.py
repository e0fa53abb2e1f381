"""The trial run used in a template's review, cached by content, since pages request it repeatedly."""

from functools import lru_cache

from clinicnum.annotations.curation.template_acceptance import SAMPLE
from clinicnum.authoring.template_trial import Trial, try_template
from clinicnum.templates.template import Template

KEPT = 64


def cached_trial(template: Template) -> Trial:
    """The trial on sample patients with seed 0: `SAMPLE` questions in each representation."""
    return _tried(template.model_copy(update={"status": "in_review"}).model_dump_json())


@lru_cache(maxsize=KEPT)
def _tried(content: str) -> Trial:
    return try_template(Template.model_validate_json(content), sample=SAMPLE, seed=0)
