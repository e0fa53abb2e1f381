"""Check the gold and the fields derived from it against a recomputation from operation tree and records."""

from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation

from clinicnum.lint.checked_instance import OwnItem
from clinicnum.lint.lint_results import Finding
from clinicnum.lint.template_lookup import EXTRA_STEP, kinds
from clinicnum.questions.ask_question import PreparedTemplate
from clinicnum.taxonomy_codes import DISTRACTOR_USED
from clinicnum.templates.distractors import Distractors, distractors
from clinicnum.templates.evaluate_tree import Answer, Case, UndefinedError, answer, evidence, holds, table_of
from clinicnum.templates.exact_numbers import exact_text
from clinicnum.templates.tree import RootNode
from clinicnum.templates.worked_solution import worked_solution
from clinicnum.types import Distractor
from clinicnum.validity.instance_rules import check_answer
from clinicnum.validity.non_discriminating_flags import flags
from clinicnum.variants import crossing

INVITED = frozenset({DISTRACTOR_USED})
"""Codes of distractors invited by something added to a variant, so not computed from its tree."""


def gold_findings(item: OwnItem, asked: PreparedTemplate, case: Case) -> list[Finding]:
    """Findings on an instance's answer, and on the fields derived from it, compared with a recomputation."""
    try:
        if not all(holds(condition, case, None) for condition in asked.template.requires):
            return [item.finding("V2.premise", "the template's own condition does not hold on the records")]
        given = answer(asked.template.tree, case)
    except UndefinedError as error:
        return _undefined(item, asked, case, str(error))
    if item.instance.expected == "abstains":
        message = f"the right answer is said to be none; the records give {given.text}"
        return [item.finding("V1.documented", message, records_give=given.text)]
    broken = check_answer(given, asked.template.decimals)
    if broken is not None:
        return [item.finding(broken, f"the exact value is {_exact(given)}", records_give=given.text)]
    found = distractors(asked.template.tree, asked.wrong, case, given)
    return [
        *_answer(item, given, found),
        *_derived(item, asked, case, given),
        *_distractors(item, found.items, given),
        *_flags(item, asked, case, given, found),
    ]


def open_findings(item: OwnItem) -> list[Finding]:
    """Findings on an instance that has no answer, as what it needs is not documented."""
    instance = item.instance
    if instance.answer is None and instance.answer_exact is None:
        return []
    return [item.finding("V3.answer", f"gold says {instance.answer}; what it needs is not documented")]


def _undefined(item: OwnItem, asked: PreparedTemplate, case: Case, rule: str) -> list[Finding]:
    """Findings if there is no answer: none for a masked value, otherwise the rule that fails."""
    if item.instance.expected == "abstains" and rule == "V1.not_documented":
        return open_findings(item)
    times = _tied_times(item, asked, case) if rule == "V2.tie" else ()
    message = (
        f"{len(times)} times share the extreme: {', '.join(times)}" if times else "the records give no answer"
    )
    return [item.finding(rule, message, times=times)]


def _answer(item: OwnItem, given: Answer, found: Distractors) -> Iterator[Finding]:
    instance, stated = item.instance, item.instance.answer
    if stated != given.text:
        rule = "V3.decimals" if _same_number(stated, given.text) else "V3.answer"
        rules = [mistake.rule for mistake in found.items if mistake.value == stated]
        cause = f"; the gold is what these mistakes give: {', '.join(rules)}" if rules else ""
        message = f"gold says {stated}; the records give {given.text}{cause}"
        yield item.finding(rule, message, records_give=given.text)
    if instance.answer_exact != _exact(given):
        message = f"answer_exact is {instance.answer_exact}; the records give {_exact(given)}"
        yield item.finding("V3.answer_exact", message, records_give=given.text)


def _exact(given: Answer) -> str | None:
    return None if given.exact is None else exact_text(given.exact)


def _same_number(stated: str | None, text: str) -> bool:
    try:
        return stated is not None and Decimal(stated) == Decimal(text)
    except InvalidOperation:
        return False


def _derived(item: OwnItem, asked: PreparedTemplate, case: Case, given: Answer) -> Iterator[Finding]:
    instance, tree = item.instance, asked.template.tree
    needed = [(cell.record, cell.vital) for cell in evidence(tree, case, given)]
    stated = [(cell.record, cell.vital) for cell in instance.evidence]
    if stated != needed:
        cells = ", ".join(f"{record}.{vital}" for record, vital in sorted({*stated} ^ {*needed}))
        message = f"evidence differs from what the answer rests on: {cells or 'in its order'}"
        yield item.finding("evidence.differs", message)
    steps = worked_solution(tree, case, given, asked.template.givens)
    if instance.worked != steps:
        yield item.finding(
            "worked.differs", f"the worked steps are not those of the answer: {' '.join(steps)}"
        )


def _distractors(item: OwnItem, found: Sequence[Distractor], given: Answer) -> Iterator[Finding]:
    stated = [_mistake(mistake) for mistake in item.instance.distractors]
    if any(value == given.text for value, _, _ in stated):
        yield item.finding("distractors.gold", f"a distractor is the right answer, {given.text}")
        return
    right = [_mistake(mistake) for mistake in found]
    if stated == right:
        return
    invited = INVITED if kinds(item.instance) else frozenset()
    differ = [m for m in stated if m not in right and m[2] not in invited] + [
        m for m in right if m not in stated
    ]
    if differ:
        rules = ", ".join(rule for _, rule, _ in differ)
        yield item.finding("distractors.differ", f"not the distractors that the mistakes give: {rules}")


def _mistake(mistake: Distractor) -> tuple[str, str, str]:
    return mistake.value, mistake.rule, mistake.code


def _flags(
    item: OwnItem, asked: PreparedTemplate, case: Case, given: Answer, found: Distractors
) -> Iterator[Finding]:
    instance = item.instance
    tree: RootNode = asked.template.tree
    to = crossing(tree) if EXTRA_STEP in kinds(instance) else None
    if to is not None:
        # The flags of the minutes to a crossing are those of the crossing itself.
        tree, given = to, answer(to, case)
    right = flags(tree, given, len(instance.records), found)
    missing = [flag for flag in right if flag not in instance.flags]
    wrong = [flag for flag in instance.flags if flag not in right]
    if missing:
        yield item.finding("V7.flag_missing", f"lacks {', '.join(missing)}")
    if wrong:
        yield item.finding("V7.flag_wrong", f"has {', '.join(wrong)}, which does not hold")


def _tied_times(item: OwnItem, asked: PreparedTemplate, case: Case) -> tuple[str, ...]:
    """The times that share the extreme; each record is compared with the best so far."""
    if asked.template.answer_type != "datetime":
        return ()
    records = item.instance.records

    def better(one: int, other: int) -> int | None:
        """Index of the record that the operation tree prefers of two; None if neither."""
        try:
            found = answer(asked.template.tree, case.with_table(table_of((records[one], records[other]))))
        except UndefinedError:
            return None
        return other if found.record else one

    best = 0
    for index in range(1, len(records)):
        best = index if better(best, index) == index else best
    tied = (i for i in range(len(records)) if i == best or better(min(i, best), max(i, best)) is None)
    return tuple(case.table.times[index] for index in tied)
