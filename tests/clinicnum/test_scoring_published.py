"""Scoring against what others published: MedCalc-Bench's stored judgements, MEDEC's notes, ROUGE."""
# ruff: noqa: E501 -- a row of a table is one line, a quotation is whole

import pytest

from clinicnum.imports import medcalc, medec
from clinicnum.scoring import check_scorable, score
from clinicnum.scoring.medec import MedecParts, judged_parts
from clinicnum.scoring.part_scores import medec_baselines, part_scores
from clinicnum.scoring.rouge import rouge_1
from clinicnum.types import Generation, Instance
from tests.clinicnum.answers import texts
from tests.open_data import MEDCALC, MEDCALC_ANSWERS, MEDEC, figure


def _said(text: str, instance: Instance) -> Generation:
    return Generation(
        generation_id="g", run_id="r", instance_id=instance.instance_id, text=text, finish_reason="stop"
    )


def _no_progress(*_: object) -> None:
    pass


def test_the_stored_answers_to_medcalc_are_judged_as_stored() -> None:
    read = medcalc.instances(MEDCALC, benchmark_id="b", prompt_id="p", progress=_no_progress)
    known = {instance.instance_id: instance for instance in read}
    for instance in known.values():
        check_scorable(instance)
        assert score(instance=instance, generation=_said(instance.answer or "", instance)).lenient
    stored = list(medcalc.answers(MEDCALC_ANSWERS, known=known, progress=_no_progress))
    ours = [
        score(instance=known[one.instance_id], generation=_said(one.text, known[one.instance_id]))
        for one in stored
    ]
    assert [judged.lenient for judged in ours] == [
        one.stored is not None and one.stored.correct for one in stored
    ]
    # The published accuracy of gpt-4o-mini's direct answers is 20.63 % of 1,047.
    assert (sum(judged.lenient for judged in ours), len(ours)) == figure(subset=(17, 62), whole=(216, 1047))
    unread = [one.text for one, judged in zip(stored, ours, strict=True) if judged.status == "unparsable"]
    # Messages of the source's script: 27 about 'N', 20 about 'ground_truth' in the whole file.
    assert len(unread) == figure(subset=5, whole=47)
    assert {text.split("'")[1] for text in unread} == {"N", "ground_truth"}


def test_every_note_of_medec_against_its_own_gold_and_against_its_error() -> None:
    notes = list(medec.instances(MEDEC, benchmark_id="b", prompt_id="p", progress=_no_progress))
    assert len(notes) == figure(subset=70, whole=574)
    for note in notes:
        assert note.answer is not None
        right = score(instance=note, generation=_said(note.answer, note))
        assert (right.strict, right.parsed) == (True, note.answer)
        assert _three(judged_parts(note, _said(note.answer, note))) == (True, True, 1.0)
        if note.answer != "CORRECT":
            unchanged = f"{note.slots['Error Sentence ID']} {note.slots['Error Sentence']}"
            parts = judged_parts(note, _said(unchanged, note))
            assert (parts.flag, parts.sentence) == (True, True)
            assert 0 <= parts.correction < 1


@pytest.mark.parametrize(
    ("gold", "text", "parts"),
    [
        (texts.WRONG, "2 Cultures show Trichomonas.", (True, True, 1.0)),
        # 2 of 3 words each way: precision 2/3, recall 2/3, F 2/3
        (texts.WRONG, "2 Cultures show mould.", (True, True, pytest.approx(2 / 3))),
        # "He was given 50 mg" has no word of "Cultures show Trichomonas"
        (texts.WRONG, "3 He was given 50 mg.", (True, False, 0.0)),
        (texts.WRONG, "CORRECT", (False, False, 0.0)),
        (texts.WRONG, "2", (True, True, 0.0)),
        (texts.WRONG, "Sentence 2 is wrong.", (True, True, 0.0)),
        (texts.WRONG, "Sentence 2 or one beside it may be wrong.", (False, False, 0.0)),
        (texts.WRONG, "It is hard to say whether sentence 2 or 3 is wrong.", (False, False, 0.0)),
        # a list number is no sentence's id where several sentences are called wrong
        (
            texts.WRONG,
            "2. The 1st sentence is incorrect. The 2nd sentence is incorrect.",
            (False, False, 0.0),
        ),
        # a list of one remark names no sentence either; sentence 1 as corrected does
        (texts.WRONG, "1. Yes, the note contains a medical error.", (False, False, 0.0)),
        (texts.WRONG, "1. His pulse is 60/min.", (True, False, 0.0)),
        (texts.WRONG, "1. The note has an error.\n2. It is grave.\n3. Call a doctor.", (False, False, 0.0)),
        (texts.WRONG, "1. The note has an error.\n2. Cultures show", (False, False, 0.0)),
        (texts.WRONG, "1. His pulse is 60/min.\n2. Cultures show mould.", (False, False, 0.0)),
        (texts.WRONG, "2. Cultures show Trichomonas.", (True, True, 1.0)),
        # an id that the note lacks is no answer that is scored, but says that there is an error
        (texts.WRONG, "18 Cultures show Trichomonas.", (True, False, 1.0)),
        (texts.FINE, "18 Cultures show Trichomonas.", (False, False, 0.0)),
        (texts.WRONG, "Sentence 1. It is an error.", (True, False, 0.0)),
        (texts.WRONG, "no idea", (False, False, 0.0)),
        (texts.FINE, "CORRECT", (True, True, 1.0)),
        (texts.FINE, "1. No sentence is wrong.\n2. The sentence is correct.", (True, True, 1.0)),
        (texts.FINE, "1. Correct.\n2. The sentence is correct.", (True, True, 1.0)),
        (
            texts.WRONG,
            "1. The sentence is correct.\n2 Cultures show mould.",
            (True, True, pytest.approx(2 / 3)),
        ),
        (texts.FINE, "2 Cultures show Trichomonas.", (False, False, 0.0)),
    ],
)
def test_the_three_parts_of_medec(gold: Instance, text: str, parts: tuple[bool, bool, float]) -> None:
    assert _three(judged_parts(gold, _said(text, gold))) == parts


@pytest.mark.parametrize(
    ("text", "status", "reason"),
    [
        ("18", "unparsable", "sentence 18 is none of the note's"),
        ("The error is in sentence 18.", "unparsable", "sentence 18 is none of the note's"),
        ("18 He was given 50 mg.", "unparsable", "sentence 18 is none of the note's"),
        (
            "The note has an error.",
            "unparsable",
            "neither CORRECT alone nor one sentence marked as the wrong one",
        ),
        ("I cannot tell whether sentence 18 is wrong.", "abstained", "declines to review"),
    ],
)
def test_a_sentence_that_the_note_lacks_is_named_as_the_reason(text: str, status: str, reason: str) -> None:
    judged = score(instance=texts.WRONG, generation=_said(text, texts.WRONG))
    assert (judged.status, judged.reason) == (status, reason)


def _three(parts: MedecParts) -> tuple[bool, bool, float]:
    return parts.flag, parts.sentence, parts.correction


def test_the_parts_of_medec_over_a_benchmark_are_those_of_the_task_s_script() -> None:
    """As its evaluation counts (github.com/abachaa/MEDIQA-CORR-2024): an unread answer is wrong in flag and sentence,
    and 0 in the composite; ROUGE-1 alone is over the notes in which both correct a sentence.
    """
    said = [
        (texts.WRONG, "2 Cultures show Trichomonas."),
        (texts.WRONG, "2 Cultures show mould."),
        (texts.WRONG, "CORRECT"),
        (texts.WRONG, "no idea"),
        (texts.FINE, "CORRECT"),
        (texts.FINE, "2 Cultures show Trichomonas."),
        (texts.WRONG, "2"),
    ]
    found = {one.part: (one.n, one.value) for one in part_scores((of, _said(text, of)) for of, text in said)}
    assert found == {
        "flag": (7, pytest.approx(4 / 7)),
        "sentence": (7, pytest.approx(4 / 7)),
        "correction": (7, pytest.approx((1 + 2 / 3 + 1) / 7)),
        "correction_of_both": (2, pytest.approx((1 + 2 / 3) / 2)),
        "correction_of_same": (2, pytest.approx((1 + 2 / 3) / 2)),
    }


def test_what_no_skill_scores_is_of_the_notes_with_an_error_and_of_whole_sentences() -> None:
    wrong = texts.WRONG.model_copy(
        update={"answer": "2 Give the new drug", "context": "1 A cough.\n2 Give\nthe old drug\n3 So."}
    )
    sound = texts.WRONG.model_copy(update={"answer": "CORRECT"})
    assert medec_baselines([wrong, sound, sound]) == (2 / 3, pytest.approx(0.75))
    assert medec_baselines([sound]) == (1.0, None)


def test_a_reason_names_what_is_right_in_words() -> None:
    said = score(instance=texts.WRONG, generation=_said("3 He was given 50 mg.", texts.WRONG)).reason
    assert "that there is an error is right" in said
    assert "correction ROUGE-1 F 0.00" in said


@pytest.mark.parametrize("text", ["Sentence 2 is wrong.", "2", "Sentence 3 is wrong."])
def test_a_correction_that_was_not_given_is_not_rated(text: str) -> None:
    said = score(instance=texts.WRONG, generation=_said(text, texts.WRONG)).reason
    assert said.endswith("; no correction is given")
    assert "ROUGE" not in said


def test_rouge_1_of_the_package_that_the_task_uses() -> None:
    """The example of its README (github.com/pltrdy/rouge): f 0.5238, p 22/35, r 22/49.

    The README breaks "help" in the hypothesis in two ("he    lp"); its figures are those of the whole word.
    """
    hypothesis = (
        "the #### transcript is a written version of each day 's cnn student news program use this transcript "
        "to help students with reading comprehension and vocabulary use the weekly newsquiz to test your "
        "knowledge of storie s you     saw on cnn student news"
    )
    reference = (
        "this page includes the show transcript use the transcript to help students with reading comprehension "
        "and     vocabulary at the bottom of the page , comment for a chance to be mentioned on cnn student "
        "news . you must be a teac    her or a student age # # or older to request a mention on the cnn "
        "student news roll call . the weekly newsquiz tests     students ' knowledge of even ts in the news"
    )
    found = rouge_1(hypothesis, reference)
    assert found is not None
    assert found.f == pytest.approx(0.5238095189484127, abs=1e-7)
    assert found.precision == pytest.approx(0.6285714285714286)
    assert found.recall == pytest.approx(0.4489795918367347)


def test_rouge_1_at_its_ends() -> None:
    assert rouge_1("a b", "a b") == (1.0, 1.0, 1.0)
    assert rouge_1("a", "b") == (0.0, 0.0, 0.0)
    assert rouge_1(" . ", "b") is None
