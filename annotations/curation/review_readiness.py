"""Whether a draft may be reviewed: it must parse as a template, with valid questions on sample patients."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from clinicnum.authoring.template_trial import Trial, try_template
from clinicnum.errors import InputError
from clinicnum.templates.fault_messages import Fault
from clinicnum.templates.parse_template import Reading, read_content
from clinicnum.templates.template import Template
from clinicnum.translatable_text import Translatable

MISSING = Translatable("it is missing; fill it in")
REMEMBERED = 64
"""Number of cached trials, so that a draft that was just viewed is not tried again when it is submitted."""


def read_draft(content: Mapping[str, Any]) -> Reading:
    """Read a draft's content as a template; a wording or source left empty in a form is a fault as if
    missing.
    """
    read = read_content(content)
    wordings = content.get("wording")
    empty = [
        Fault(rule="form", path=("wording", at), message=MISSING)
        for at, one in enumerate(wordings if isinstance(wordings, list) else ())
        if isinstance(one, str) and not one.strip()
    ]
    source = content.get("source")
    if isinstance(source, str) and not source.strip():
        empty.append(Fault(rule="form", path=("source",), message=MISSING))
    return read.model_copy(update={"faults": (*empty, *read.faults)}) if empty else read


def sound_template(content: dict[str, Any]) -> Template:
    """The template in a draft. Raises InputError naming its first fault.

    If it is called before a transaction, calling it again within the transaction is fast, as `trial_of`
    caches.
    """
    reading = read_draft(content)
    faults = reading.faults
    if reading.template is not None and not faults:
        trial = trial_of(reading.template)
        if trial.holds:
            return reading.template
        faults = trial.faults
    first, more = faults[0], len(faults) - 1
    if more:
        raise InputError(Translatable("{fault} (and {n} more); mend it first", fault=first.text(), n=more))
    raise InputError(Translatable("{fault}; mend it first", fault=first.text()))


def trial_of(template: Template) -> Trial:
    """Try a template on sample patients; cached for the last REMEMBERED templates, ignoring version and
    status.
    """
    return _trial(template.model_copy(update={"version": 1, "status": "draft"}).model_dump_json())


@lru_cache(maxsize=REMEMBERED)
def _trial(template: str) -> Trial:
    return try_template(Template.model_validate_json(template))
