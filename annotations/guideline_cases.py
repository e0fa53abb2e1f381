"""Examples and near misses for a study's default guideline, taken from failures that nobody in it judges.

A failure illustrates a code if its answer equals just what one mistake gives, or if it gives no answer.
"""

from collections.abc import Iterable, Iterator, Mapping, Set
from decimal import Decimal, InvalidOperation

from clinicnum.annotations.codebook import codebook
from clinicnum.annotations.escape_markdown import escaped
from clinicnum.annotations.study_inputs import Material
from clinicnum.annotations.taxonomy import Taxonomy
from clinicnum.taxonomy_codes import EMPTY, FALSE_ABSTENTION, TRUNCATED
from clinicnum.types import Frozen, Instance, Score, ScoreStatus

LONGEST_QUOTE = 300
CASES_TITLE = "## Examples from this study's runs"
NO_ANSWER: Mapping[ScoreStatus, str] = {
    "abstained": FALSE_ABSTENTION,
    "truncated": TRUNCATED,
    "empty": EMPTY,
}


class GuidelineCase(Frozen):
    """A real failure that shows what a code means."""

    code: str
    question: str
    reference: str
    response: str


def find_cases(material: Material, taxonomy: Taxonomy, *, judged: Set[str]) -> dict[str, GuidelineCase]:
    """Code -> the first failure that shows it and gives away no reference of the study.

    Failures in the groups in `judged` (by their own ids or those of `Material.groups`) are left out, as
    annotators must not read their references before judging. So are MEDEC notes of the same subject as a note
    in these groups: one may be the case with the error and the other without, so that the reference of one
    tells that of the other.
    """
    groups = material.groups()
    instances = {one.instance_id: one for one in material.instances}
    scores = {one.generation_id: one for one in material.scores}
    known, found = taxonomy.codes(), dict[str, GuidelineCase]()
    asked = {
        one.generation_id: {instances[one.instance_id].group_id, groups[one.generation_id]}
        for one in material.generations()
    }
    told = {
        instances[one.instance_id].subject_id
        for one in material.generations()
        if asked[one.generation_id] & judged and instances[one.instance_id].scoring == "medec"
    }
    for generation in material.generations():
        instance, score = instances[generation.instance_id], scores.get(generation.generation_id)
        if score is None or asked[generation.generation_id] & judged or instance.answer is None:
            continue
        if instance.scoring == "medec" and instance.subject_id in told:
            continue
        code = _shown_code(instance, score)
        if code in known and code not in found:
            found[code] = GuidelineCase(
                code=code,
                question=_cut(instance.question),
                reference=_cut(instance.answer),
                response=_cut(generation.text),
            )
    return found


def cases_section(cases: Mapping[str, GuidelineCase], taxonomy: Taxonomy) -> str:
    """An example and a near miss for each class of which there is one, as Markdown; empty without any."""
    entries = {entry.id: entry for entry in codebook(taxonomy)}
    names = {code: str(entry.name) for code, entry in entries.items()}
    parts = [
        part
        for group in taxonomy.classes
        for part in _class(group.code, cases, entries[group.code].near, names)
    ]
    if not parts:
        return ""
    intro = (
        "Answers of this study's runs to questions that nobody judges in it. Each equals just what one "
        "mistake gives, or gives no answer; no expert has judged them."
    )
    return "\n\n".join([CASES_TITLE, intro, *parts]) + "\n"


def _class(
    code: str, cases: Mapping[str, GuidelineCase], near: Iterable[str], names: Mapping[str, str]
) -> Iterator[str]:
    """The part of one class: a failure of it, and one of a class that is easily taken for it."""
    example = _first(cases, {code})
    miss = _first(cases, {one.partition(".")[0] for one in near} - {code})
    told = [
        f"- {label}{_told(case, names)}"
        for label, case in (("Example: ", example), (f"Near miss, not {escaped(names[code])}: ", miss))
        if case is not None
    ]
    if told:
        yield "\n".join([f"### {escaped(names[code])}", "", *told])


def _first(cases: Mapping[str, GuidelineCase], classes: Set[str]) -> GuidelineCase | None:
    return next((case for code, case in cases.items() if code.partition(".")[0] in classes), None)


def _told(case: GuidelineCase, names: Mapping[str, str]) -> str:
    quote = escaped(case.response) or "(empty)"
    return (
        f"**{escaped(names[case.code])}.** Asked: {escaped(case.question)} Reference: "
        f"{escaped(case.reference)}. Response: “{quote}”"
    )


def _shown_code(instance: Instance, score: Score) -> str | None:
    """The code that the failure shows; None for a right answer and where several mistakes give the same."""
    if score.lenient or score.status != "incorrect" or score.parsed is None:
        return NO_ANSWER.get(score.status)
    given = _comparable(score.parsed)
    codes = {one.code for one in instance.distractors if _comparable(one.value) == given}
    return codes.pop() if len(codes) == 1 else None


def _comparable(value: str) -> Decimal | str:
    try:
        return Decimal(value)
    except InvalidOperation:
        return value.strip()


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_QUOTE else line[: LONGEST_QUOTE - 1] + "…"
