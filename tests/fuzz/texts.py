"""Every function that takes a text from outside and is total, or refuses it as a reader refuses a file."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from tests.fuzz import seeds


@dataclass(frozen=True)
class Text:
    """One way in."""

    name: str
    covers: tuple[str, ...]
    valid: tuple[str, ...]
    """What it is meant for; fragments of these are mixed."""
    take: Callable[[str], object]
    examples: int = 25
    """Tries in the suite."""


def _score(text: str) -> object:
    from clinicnum.scoring import score
    from tests.clinicnum.answering import generation
    from tests.clinicnum.answers import HR, SHARE, TIME, choices, medcalc, texts

    golds = (HR, SHARE, TIME, choices.SHOCK, medcalc.DUE, medcalc.AGE, texts.WRONG, texts.SHOCK)
    return [score(instance=gold, generation=generation(text, of=gold)).model_dump_json() for gold in golds]


def _diagnosed(text: str) -> object:
    from clinicnum.diagnosis import rates_for, suggest
    from clinicnum.scoring import score

    found: list[str] = []
    rates = rates_for(seeds.known().values())
    for instance in list(seeds.known().values())[:4]:
        given = seeds.a_generation().model_copy(update={"text": text, "instance_id": instance.instance_id})
        judged = score(instance=instance, generation=given)
        found += [
            one.model_dump_json()
            for one in suggest(instance=instance, generation=given, score=judged, rates=rates)
        ]
    return found


def _numbers(text: str) -> object:
    from clinicnum.parsing.numbers import numbers_in, read_number

    return read_number(text), read_number(text, count=True, anywhere=True), numbers_in(text)


def _times(text: str) -> object:
    from clinicnum.parsing.dates_and_durations import read_date, read_weeks
    from clinicnum.parsing.datetimes import read_datetime, times_in

    return read_datetime(text), times_in(text), read_date(text, anywhere=True), read_weeks(text)


def _units(text: str) -> object:
    from clinicnum.parsing.units import compare_units, conversion, unit_at

    written, _ = unit_at(text, 0)
    return (
        written,
        compare_units("mmHg", text),
        compare_units(text, "mmHg"),
        conversion(asked="°C", written=text),
    )


def _options_read(text: str) -> object:
    from random import Random

    from clinicnum.variants.imported import why_fixed
    from clinicnum.variants.imported.typos import misspelt_text, without_slips

    assert without_slips(misspelt_text(text, Random(0))) == without_slips(text)
    return why_fixed([text, "B", "aspirin"], text, text)


def _choices(text: str) -> object:
    from clinicnum.parsing.chosen_option import begins_with_letter, chooses_to_decline

    return begins_with_letter(text), chooses_to_decline(text, ("yes", "no"))


def _columns(text: str) -> object:
    from clinicnum.records.csv_source import parse_columns

    return parse_columns(text)


def _header(text: str) -> object:
    from clinicnum.records.column_units import cell_unit, header_unit

    return (
        header_unit(text, "temperature_c"),
        header_unit(text, "heart_rate_bpm"),
        cell_unit(text, "f:1", "U"),
    )


def _cell(text: str) -> object:
    from clinicnum.records.clean import number, parse_time

    return number(text), parse_time(text, "f:1", "charttime")


def _variants(text: str) -> object:
    from clinicnum.variants.kinds import parse_variants

    return parse_variants(text)


def _quota(text: str) -> object:
    from clinicnum.generation.presets import preset, with_quota

    return with_quota(preset("small"), text)


def _retry_after(text: str) -> object:
    from clinicnum.inference.openai.retry_delay import parse_retry_after

    return parse_retry_after(text, now=datetime(2026, 1, 1, tzinfo=UTC))


def _address(text: str) -> object:
    from clinicnum.inference.openai.server_address import api_url

    return api_url(text)


def _sentences(text: str) -> object:
    from clinicnum.annotations.claims.claim import claim_of_key, claims_of_answer
    from clinicnum.annotations.claims.split_sentences import sentences

    claims = claims_of_answer(text)
    assert [claim_of_key(one.key) for one in claims] == list(claims)
    assert all(text[start:end].strip() == text[start:end] != "" for start, end in sentences(text))
    return claims


def _thinking(text: str) -> object:
    from clinicnum.parsing.thinking import split_thinking

    return split_thinking(text)


def _question(text: str) -> object:
    from clinicnum.lint.read_robbench_context import NotUnderstoodError, read_context
    from clinicnum.lint.read_robbench_question import read_question
    from clinicnum.lint.robbench_answer import gold_number, gold_time

    found = [gold_number(text), gold_time(text)]
    for read in (read_question, read_context):
        try:
            found.append(read(text))
        except NotUnderstoodError:
            found.append(None)
    return found


def _frame(text: str) -> object:
    from clinicnum.representations.note_frames import UnsuitableError, frame_of

    try:
        return frame_of(text)
    except UnsuitableError as error:
        return str(error)


_ANSWER = '{"answer": 110, "unit": "bpm"} So 110 - 70 = 40 at 2180-05-10 07:30:00. The answer is \\boxed{1.5}'
_PROSE = (
    "SBP not documented (see 1.), assuming 120: MAP is −**93.3** or 93⅓.\n## Answer\n{'answer': 'ND'}\n"
    "No, I meant 8 million."
)
TEXTS: tuple[Text, ...] = (
    Text(
        "an answer that is scored",
        (
            "clinicnum/parsing/__init__.py",
            *(
                f"clinicnum/parsing/{name}.py"
                for name in (
                    *(
                        "flexible_answer",
                        "self_corrections",
                        "answer_value_signs",
                        "guess_despite_abstention",
                        "json_answer",
                        "marked_answer",
                        "option_verdicts",
                        "option_verdict_words",
                        "question_for_parser",
                        "missing_value_remarks",
                        "sentence_values",
                        "question_overlap",
                        "answer_sentences",
                        "doubtful_values",
                        "implied_options",
                        "concluded_option",
                        "invented_chat_turns",
                        "marked_value",
                        "option_texts",
                        "foreign_months_and_numbers",
                        "unmarked_answer",
                    ),
                )
            ),
        ),
        (
            _ANSWER,
            _PROSE,
            "B) yes",
            "the next step is D) Reassure the mother.",
            "09/23/2014",
            "('4 weeks', '3 days')",
        ),
        _score,
    ),
    Text(
        "an answer that is diagnosed",
        ("clinicnum/diagnosis/suggest.py",),
        (_ANSWER, "(110 + 4) / 2 = 57 mmHg, or 7/0", "38.2 °C is 100.8 °F"),
        _diagnosed,
    ),
    Text(
        "sentences",
        ("annotations/claims/split_sentences.py",),
        (
            "Dr. J. Smith, e.g. 88 b.p.m.\n1. Give 3.5 mg p.o. Then stop.",
            "## A\n**B:**\n- c\nd!? (E)",
            "。 [1].",
        ),
        _sentences,
    ),
    Text(
        "numbers",
        ("clinicnum/parsing/numbers.py", "clinicnum/parsing/minus_signs.py", "clinicnum/parsing/latex.py"),
        (
            r"-\frac{1}{3} \times 10^{-3}",
            "1,234.5e-3",
            "one hundred and two",
            "½",
            "10^5",
            "12/7",
            "(1 2)",
            "1 000 000",
        ),
        _numbers,
    ),
    Text(
        "times",
        ("clinicnum/parsing/datetimes.py", "clinicnum/parsing/dates_and_durations.py"),
        ("2180-05-10 07:30:00", "May 10, 2180 at 7:30 pm", "09/23/2014", "4 weeks 3 days", "99:99"),
        _times,
    ),
    Text(
        "units",
        ("clinicnum/parsing/units.py",),
        ("mmHg", "beats per minute", "°F", "mL/min/1.73 m2", "kPa"),
        _units,
    ),
    Text(
        "choices",
        ("clinicnum/parsing/chosen_option.py",),
        ("B) yes", "option B", "the answer is (A)", "none of these"),
        _choices,
    ),
    Text("a column map", ("clinicnum/records/csv_source.py",), (seeds.COLUMNS, "a=b"), _columns),
    Text(
        "a header's unit", ("clinicnum/records/column_units.py",), ("Temp (°F)", "hr_bpm", "F", "°C"), _header
    ),
    Text(
        "a cell",
        ("clinicnum/records/mimic.py",),
        ("88", "1e2", "98.60", "2150-01-01 08:00:00", "9999-12-31 23:59:59"),
        _cell,
    ),
    Text(
        "--variants",
        ("clinicnum/variants/kinds.py",),
        ("input.typo,numeric.relevant", "a+b", "input.typo+numeric.relevant"),
        _variants,
    ),
    Text(
        "options and their order",
        ("clinicnum/variants/imported/option_references.py", "clinicnum/variants/imported/typos.py"),
        ("none of the above", "A, B and (C) only", "1 and 3 are correct", "Following treatment\nA. x B. y"),
        _options_read,
    ),
    Text(
        "--quota",
        ("clinicnum/generation/presets.py",),
        ("retrieval=100,aggregation=50", "arithmetic=1"),
        _quota,
    ),
    Text(
        "Retry-After",
        ("clinicnum/inference/openai/retry_delay.py",),
        ("120", "Wed, 21 Oct 2026 07:28:00 GMT", "1e9", "-1"),
        _retry_after,
    ),
    Text(
        "--base-url",
        ("clinicnum/inference/openai/server_address.py",),
        ("http://127.0.0.1:8000/v1", "https://[::1]:99/v1?x#y", "http://a:b@c/"),
        _address,
    ),
    Text(
        "thinking",
        ("clinicnum/parsing/thinking.py",),
        ("<think>so</think>110", "<think>", "</think>"),
        _thinking,
    ),
    Text(
        "another's question",
        ("clinicnum/lint/read_robbench_question.py",),
        (
            "What was the heart rate of the patient at 2180-05-10 07:30:00?",
            "Calculate the shock index at 2180-05-10 07:30:00. Rounded to 2 decimal places.",
            "{\nchart_time: 2180-05-10 06:27:00,\ntemperature: 36.8,\nheart_rate: 88,\nbp: 118/76,\n}",
        ),
        _question,
    ),
    Text(
        "a note",
        ("clinicnum/representations/note_frames.py",),
        (seeds.NOTE, "VS: 37.2 C, hr 98, bp 110/62"),
        _frame,
    ),
)
