"""An instance's line of JSON, made of parts that are written once and texts that vary."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from clinicnum.io.jsonl import compact_json
from clinicnum.types import Instance

VARYING = ("instance_id", "representation", "context")
"""Fields that differ between the instances of a group, in the order of the model."""
ASKED = (
    "group_id",
    "benchmark_id",
    "scope",
    "question",
    "slots",
    "answer",
    "answer_exact",
    "worked",
    "evidence",
    "distractors",
    "flags",
    "subject_id",
    "records",
    "givens",
)
"""Fields that differ between the groups of a template: `%(name)s` in a part."""


def line_parts(fixed: Mapping[str, str]) -> Sequence[str]:
    """The JSON line of an instance, split where the values of the fields `VARYING` belong; fields in `ASKED`
    are left as `%(name)s`.

    `fixed` has the JSON text of further fields by name. All other fields, which only variants and imported
    items use, get their defaults. A field that the model leaves out of its JSON while it has its default is
    left out here.
    """
    parts, comma = ["{"], ""
    for name, field in Instance.model_fields.items():
        if field.exclude_if is not None and name not in fixed:
            continue
        parts[-1] += f'{comma}"{name}":'
        comma = ","
        if name in VARYING:
            parts.append("")
        elif name in ASKED:
            parts[-1] += f"%({name})s"
        else:
            parts[-1] += (fixed[name] if name in fixed else _defaults()[name]).replace("%", "%%")
    parts[-1] += "}"
    return parts


@lru_cache(maxsize=1)
def _defaults() -> Mapping[str, str]:
    optional = {n: f for n, f in Instance.model_fields.items() if not f.is_required()}
    return {n: compact_json(f.get_default(call_default_factory=True)) for n, f in optional.items()}
