"""Compute suggestions for the drawn generations, as `clinicnum score --suggestions` does."""

from collections.abc import Collection
from dataclasses import replace

from clinicnum.annotations.study_inputs import Material


def with_suggestions(material: Material, *, drawn: Collection[str]) -> Material:
    """The material, with newly computed suggestions for the drawn generations in place of the given ones.

    Only failures get any: of value or, if a format was requested, of format. Codes that often match by chance
    are not suggested; chance rates are those of the whole benchmark.
    """
    from clinicnum.diagnosis import calls_for_cause, rates_for, suggest_all
    from clinicnum.inference.model_metadata import asks_form

    instances = {one.instance_id: one for one in material.instances}
    scores = {one.generation_id: one for one in material.scores}
    answered = [
        (instances[one.instance_id], one, scores[one.generation_id])
        for run in material.runs
        for one in run.generations
        if one.generation_id in drawn
        and calls_for_cause(scores[one.generation_id], form_asked=asks_form(run.meta))
    ]
    found = suggest_all(answered, rates=rates_for(material.instances))
    return replace(material, suggestions=tuple(found))
