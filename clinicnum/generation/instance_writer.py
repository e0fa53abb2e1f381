"""Write a question in its representations: the instances of one group, as JSONL lines or objects.

Lines are put together from JSON texts that are made once per context, template or question, as a benchmark
may have a million of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clinicnum.io.jsonl import compact_json, id_of_json, quoted, quoted_list, text_id
from clinicnum.questions.ask_question import Question
from clinicnum.templates.exact_numbers import exact_text
from clinicnum.templates.worked_solution import worked_solution
from clinicnum.types import Instance, RepresentationName


@dataclass(frozen=True)
class QuestionInstances:
    """One question in every representation."""

    question: Question
    wording: int
    representations: Sequence[RepresentationName]
    benchmark_id: str
    scope: str

    def lines(self) -> list[bytes]:
        """One JSON line per instance, equal to `model_dump_json` of the objects."""
        question, fields = self.question, self._fields()
        head, middle, late, tail = [(part % fields).encode() for part in question.asked.line_parts]
        made = []
        for name in self.representations:
            context, context_id = question.shown.context_json(name, question.givens)
            instance_id = id_of_json(f'[{fields["group_id"]},"{name}","{context_id}"]').encode()
            made.append(
                b'%b"%b"%b"%b"%b%b%b' % (head, instance_id, middle, name.encode(), late, context, tail)
            )
        return made

    def instances(self) -> list[Instance]:
        """The instances as validated objects."""
        return [Instance.model_validate_json(line) for line in self.lines()]

    def _fields(self) -> Mapping[str, str]:
        """The JSON texts of the fields named in `instance_json_line.ASKED`."""
        question = self.question
        template, case, gold = question.asked.template, question.case, question.gold
        text = template.question(self.wording, question.slots)
        mistakes = [
            f'{{"value":{quoted(value)},"rule":"{rule}","code":"{code}"}}'
            for value, rule, code in question.mistakes.found
        ]
        cells = [f'{{"record":{c.record},"vital":"{c.vital}"}}' for c in question.cells]
        givens = [{"name": g.name, "value": g.value, "unit": g.unit} for g in question.givens]
        givens_json = compact_json(givens) if givens else "[]"
        slots = [f"{quoted(name)}:{quoted(value)}" for name, value in question.slots.items()]
        asked = (template.id, str(template.version), text, gold.text, givens_json, question.shown.records_id)
        return {
            "group_id": f'"{text_id(*asked)}"',
            "benchmark_id": quoted(self.benchmark_id),
            "scope": quoted(self.scope),
            "question": quoted(text),
            "slots": f"{{{','.join(slots)}}}",
            "answer": quoted(gold.text),
            "answer_exact": "null" if gold.exact is None else quoted(exact_text(gold.exact)),
            "worked": quoted_list(worked_solution(template.tree, case, gold, template.givens)),
            "evidence": f"[{','.join(cells)}]",
            "distractors": f"[{','.join(mistakes)}]",
            "flags": quoted_list(question.flags),
            "subject_id": quoted(question.shown.records[0].subject_id),
            "records": question.shown.records_json,
            "givens": givens_json,
        }
