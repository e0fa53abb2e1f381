"""Every function that takes a text from outside and is total, or refuses it as a reader refuses a file."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.fuzz import seeds, text_readers


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
        text_readers.score,
    ),
    Text(
        "an answer that is diagnosed",
        ("clinicnum/diagnosis/suggest.py",),
        (_ANSWER, "(110 + 4) / 2 = 57 mmHg, or 7/0", "38.2 °C is 100.8 °F"),
        text_readers.diagnosed,
    ),
    Text(
        "sentences",
        ("annotations/claims/split_sentences.py",),
        (
            "Dr. J. Smith, e.g. 88 b.p.m.\n1. Give 3.5 mg p.o. Then stop.",
            "## A\n**B:**\n- c\nd!? (E)",
            "。 [1].",
        ),
        text_readers.sentences,
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
        text_readers.numbers,
    ),
    Text(
        "times",
        ("clinicnum/parsing/datetimes.py", "clinicnum/parsing/dates_and_durations.py"),
        ("2180-05-10 07:30:00", "May 10, 2180 at 7:30 pm", "09/23/2014", "4 weeks 3 days", "99:99"),
        text_readers.times,
    ),
    Text(
        "units",
        ("clinicnum/parsing/units.py",),
        ("mmHg", "beats per minute", "°F", "mL/min/1.73 m2", "kPa"),
        text_readers.units,
    ),
    Text(
        "choices",
        ("clinicnum/parsing/chosen_option.py",),
        ("B) yes", "option B", "the answer is (A)", "none of these"),
        text_readers.choices,
    ),
    Text("a column map", ("clinicnum/records/csv_source.py",), (seeds.COLUMNS, "a=b"), text_readers.columns),
    Text(
        "a header's unit",
        ("clinicnum/records/column_units.py",),
        ("Temp (°F)", "hr_bpm", "F", "°C"),
        text_readers.header,
    ),
    Text(
        "a cell",
        ("clinicnum/records/mimic.py",),
        ("88", "1e2", "98.60", "2150-01-01 08:00:00", "9999-12-31 23:59:59"),
        text_readers.cell,
    ),
    Text(
        "--variants",
        ("clinicnum/variants/kinds.py",),
        ("input.typo,numeric.relevant", "a+b", "input.typo+numeric.relevant"),
        text_readers.variants,
    ),
    Text(
        "options and their order",
        ("clinicnum/variants/imported/option_references.py", "clinicnum/variants/imported/typos.py"),
        ("none of the above", "A, B and (C) only", "1 and 3 are correct", "Following treatment\nA. x B. y"),
        text_readers.options_read,
    ),
    Text(
        "--quota",
        ("clinicnum/generation/presets.py",),
        ("retrieval=100,aggregation=50", "arithmetic=1"),
        text_readers.quota,
    ),
    Text(
        "Retry-After",
        ("clinicnum/inference/openai/retry_delay.py",),
        ("120", "Wed, 21 Oct 2026 07:28:00 GMT", "1e9", "-1"),
        text_readers.retry_after,
    ),
    Text(
        "--base-url",
        ("clinicnum/inference/openai/server_address.py",),
        ("http://127.0.0.1:8000/v1", "https://[::1]:99/v1?x#y", "http://a:b@c/"),
        text_readers.address,
    ),
    Text(
        "thinking",
        ("clinicnum/parsing/thinking.py",),
        ("<think>so</think>110", "<think>", "</think>"),
        text_readers.thinking,
    ),
    Text(
        "another's question",
        ("clinicnum/lint/read_robbench_question.py",),
        (
            "What was the heart rate of the patient at 2180-05-10 07:30:00?",
            "Calculate the shock index at 2180-05-10 07:30:00. Rounded to 2 decimal places.",
            "{\nchart_time: 2180-05-10 06:27:00,\ntemperature: 36.8,\nheart_rate: 88,\nbp: 118/76,\n}",
        ),
        text_readers.question,
    ),
    Text(
        "a note",
        ("clinicnum/representations/note_frames.py",),
        (seeds.NOTE, "VS: 37.2 C, hr 98, bp 110/62"),
        text_readers.frame,
    ),
)
