"""A question in its representations: the instances of one group, as JSONL lines or as objects.

Lines are put together from JSON texts that are made once per context, template or question, as a benchmark
may have a million of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from clinicnum.jsonl import compact_json, quoted, quoted_list, text_id
from clinicnum.questions import Question
from clinicnum.templates.exact import exact_text
from clinicnum.templates.worked import worked
from clinicnum.types import Instance, RepresentationName

VARYING = ("instance_id", "representation", "context")
"""What differs between the instances of a group, in the order of the fields."""


@dataclass(frozen=True)
class Group:
    """One question, asked once in every representation."""

    question: Question
    wording: int
    representations: Sequence[RepresentationName]
    benchmark_id: str
    scope: str

    @cached_property
    def text(self) -> str:
        """The question as asked."""
        return self.question.asked.template.question(self.wording, self.question.slots)

    @cached_property
    def group_id(self) -> str:
        """A hash of what is asked, shown and answered."""
        question, template = self.question, self.question.asked.template
        asked = (template.id, str(template.version), self.text, question.gold.text)
        return text_id(*asked, self._givens, question.shown.records_id)

    def lines(self) -> list[str]:
        """One JSON line an instance, equal to `model_dump_json` of the objects."""
        head, middle, late, tail = self._around()
        made = []
        for name in self.representations:
            context, context_id = self.question.shown.context_json(name, self.question.givens)
            instance_id = text_id(self.group_id, name, context_id)
            made.append(f'{head}"{instance_id}"{middle}"{name}"{late}{context}{tail}')
        return made

    def instances(self) -> list[Instance]:
        """The same as validated objects."""
        return [Instance.model_validate_json(line) for line in self.lines()]

    @cached_property
    def _givens(self) -> str:
        givens = self.question.givens
        return compact_json([{"name": g.name, "value": g.value, "unit": g.unit} for g in givens])

    def _around(self) -> tuple[str, ...]:
        """The line's text before, between and after the fields that vary."""
        fields = self._fields()
        texts = "{" + ",".join([f"{key}{fields[name]}" for name, key in _keys()]) + "}"
        return tuple(texts.split(_GAP))

    def _fields(self) -> Mapping[str, str]:
        question = self.question
        template, case, gold = question.asked.template, question.case, question.gold
        mistakes = [
            f'{{"value":{quoted(d.value)},"rule":"{d.rule}","code":"{d.code}"}}'
            for d in question.mistakes.items
        ]
        cells = [f'{{"record":{c.record},"vital":"{c.vital}"}}' for c in question.cells]
        return {
            **_constant(),
            **question.asked.fields_json,
            "group_id": quoted(self.group_id),
            "benchmark_id": quoted(self.benchmark_id),
            "scope": quoted(self.scope),
            "question": quoted(self.text),
            "slots": compact_json(dict(question.slots)) if question.slots else "{}",
            "answer": quoted(gold.text),
            "answer_exact": "null" if gold.exact is None else quoted(exact_text(gold.exact)),
            "worked": quoted_list(worked(template.tree, case, gold, template.givens)),
            "evidence": f"[{','.join(cells)}]",
            "distractors": f"[{','.join(mistakes)}]",
            "flags": quoted_list(question.flags),
            "subject_id": quoted(question.shown.records[0].subject_id),
            "records": question.shown.records_json,
            "givens": self._givens,
        }


_GAP = "\x00"
"""Stands where a varying field goes; JSON texts hold no raw control character."""


@lru_cache(maxsize=1)
def _constant() -> Mapping[str, str]:
    """Fields at their defaults, which only variants and items made elsewhere fill; gaps for what varies."""
    optional = {n: f for n, f in Instance.model_fields.items() if not f.is_required()}
    defaults = {n: compact_json(f.get_default(call_default_factory=True)) for n, f in optional.items()}
    return defaults | dict.fromkeys(VARYING, _GAP)


@lru_cache(maxsize=1)
def _keys() -> Sequence[tuple[str, str]]:
    """(field, its key as a JSON text), in the order of the model."""
    return [(name, f'"{name}":') for name in Instance.model_fields]
