"""The default guideline shows real failures that nobody judges, and only where what they show is certain."""

from dataclasses import replace

from clinicnum.annotations.guideline_cases import LONGEST_QUOTE, cases_section, find_cases
from clinicnum.annotations.study_inputs import Material
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.types import Distractor
from tests.db.examples import material

TAXONOMY = load_taxonomy()
RECORD = "contextual_inconsistency.wrong_record"


def failing(given: str, *distractors: tuple[str, str]) -> Material:
    """One wrong answer, to a question in which these mistakes lie in wait."""
    made = material(wrong=1)
    score = next(one for one in made.scores if not one.lenient)
    answer = next(one for one in made.generations() if one.generation_id == score.generation_id)
    asked = next(one for one in made.instances if one.instance_id == answer.instance_id)
    traps = tuple(Distractor(value=value, rule="r", code=code) for value, code in distractors)
    run = replace(made.runs[0], generations=(answer,))
    return replace(
        made,
        instances=(asked.model_copy(update={"distractors": traps}),),
        runs=(run,),
        scores=(score.model_copy(update={"parsed": given, "status": "incorrect"}),),
    )


def test_an_answer_that_equals_what_just_one_mistake_gives_shows_that_mistake() -> None:
    made = failing("82.0", ("82", RECORD), ("7", "omission.missed_step"))
    (case,) = find_cases(made, TAXONOMY, judged=set()).values()
    assert (case.code, case.question) == (RECORD, made.instances[0].question)
    text = cases_section({RECORD: case}, TAXONOMY)
    assert "### Contextual inconsistency" in text
    assert text.index("Near miss, not Omission") < text.index("Example: **Wrong record")
    assert case.reference in text


def test_what_is_uncertain_known_by_nobody_or_judged_in_the_study_is_no_case() -> None:
    both = failing("82", ("82", RECORD), ("82.0", "omission.missed_step"))
    assert find_cases(both, TAXONOMY, judged=set()) == {}
    assert find_cases(failing("83", ("82", RECORD)), TAXONOMY, judged=set()) == {}
    assert find_cases(failing("82", ("82", "nobody.knows")), TAXONOMY, judged=set()) == {}
    made = failing("82", ("82", RECORD))
    assert find_cases(made, TAXONOMY, judged={made.instances[0].group_id}) == {}
    right = replace(made, scores=(made.scores[0].model_copy(update={"lenient": True}),))
    assert find_cases(right, TAXONOMY, judged=set()) == {}
    assert cases_section({}, TAXONOMY) == ""


def test_the_reference_of_a_medec_note_is_no_case_where_its_twin_is_judged() -> None:
    made = failing("82", ("82", RECORD))
    note = made.instances[0].model_copy(update={"scoring": "medec", "group_id": "with the error"})
    answer, other = made.runs[0].generations[0], "its twin"
    twin = note.model_copy(update={"instance_id": other, "group_id": "without"})
    second = answer.model_copy(update={"generation_id": other, "instance_id": other})
    right = made.scores[0].model_copy(update={"generation_id": other, "lenient": True, "parsed": None})
    pair = replace(
        made,
        instances=(note, twin),
        runs=(replace(made.runs[0], generations=(answer, second)),),
        scores=(*made.scores, right),
    )
    assert list(find_cases(pair, TAXONOMY, judged=set())) == [RECORD]
    assert find_cases(pair, TAXONOMY, judged={"without"}) == {}
    apart = twin.model_copy(update={"subject_id": "another"})
    assert list(find_cases(replace(pair, instances=(note, apart)), TAXONOMY, judged={"without"})) == [RECORD]


def test_no_answer_is_a_case_and_a_hostile_long_text_is_quoted_as_text() -> None:
    made = failing("82")
    hostile = "<script>x</script> [a](javascript:b)\n# Heading " + "long " * 200
    run = replace(
        made.runs[0],
        generations=(made.runs[0].generations[0].model_copy(update={"text": hostile}),),
    )
    cut = replace(made, runs=(run,), scores=(made.scores[0].model_copy(update={"status": "truncated"}),))
    (case,) = find_cases(cut, TAXONOMY, judged=set()).values()
    assert case.code == "unanswered.truncated"
    assert len(case.response) == LONGEST_QUOTE
    text = cases_section({case.code: case}, TAXONOMY)
    assert "\n# Heading" not in text
    assert "\\<script\\>" in text
