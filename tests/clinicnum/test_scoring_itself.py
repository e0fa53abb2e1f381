"""Every gold is right against itself, in ten written forms, whatever its kind."""

from datetime import date, datetime
from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from clinicnum.prompt import option_letter
from clinicnum.scoring import score
from clinicnum.types import Instance
from tests.clinicnum.answering import generation, instance
from tests.clinicnum.answers import TIME, choices, medcalc, texts

FORMS = (
    '{{"answer": "{0}"}}',
    '{{"answer": "{0}", "confidence": 0.5}}',
    '```json\n{{"answer": "{0}"}}\n```',
    "{{'answer': '{0}'}}",
    r"\boxed{{{0}}}",
    "<answer>{0}</answer>",
    "The answer is {0}.",
    "Answer: {0}",
    "**Final answer:** {0}",
    "{0}",
)


def _right_in_all(gold: Instance, written: str, forms: tuple[str, ...] = FORMS) -> None:
    for form in forms:
        result = score(instance=gold, generation=generation(form.format(written), of=gold))
        assert result.lenient, (form, written, result)


@settings(max_examples=80, deadline=None)
@given(value=st.decimals(min_value=-9999, max_value=9999, places=2), places=st.integers(0, 2))
def test_a_number(value: Decimal, places: int) -> None:
    rounded = value.quantize(Decimal(1).scaleb(-places))
    written = f"{rounded if rounded else abs(rounded):f}"
    gold = instance(answer=written, answer_exact=written, decimals=places, unit=None)
    _right_in_all(gold, written, ('{{"answer": {0}}}', *FORMS))


@settings(max_examples=40, deadline=None)
@given(value=st.integers(0, 40))
def test_a_count(value: int) -> None:
    gold = instance(answer=str(value), answer_exact=str(value), answer_type="count", decimals=0, unit=None)
    _right_in_all(gold, str(value), ('{{"answer": {0}}}', *FORMS, "There are {0} such records."))


@settings(max_examples=40, deadline=None)
@given(value=st.datetimes(min_value=datetime(1900, 1, 1)).map(lambda t: t.replace(microsecond=0)))
def test_a_date_and_time(value: datetime) -> None:
    written = f"{value:%Y-%m-%d %H:%M:%S}"
    _right_in_all(TIME.model_copy(update={"answer": written, "records": ()}), written)


@settings(max_examples=40, deadline=None)
@given(
    words=st.lists(
        st.sampled_from(("septic shock", "1.5", "fluids", "none", "10 mg", "a bolus", "15")),
        min_size=2,
        max_size=7,
        unique=True,
    ),
    data=st.data(),
)
def test_an_option_by_letter_and_by_text(words: list[str], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(words) - 1))
    gold = choices.SHOCK.model_copy(update={"options": tuple(words), "answer": option_letter(place)})
    _right_in_all(gold, option_letter(place))
    _right_in_all(gold, words[place])
    _right_in_all(gold, f"{option_letter(place)}. {words[place]}")


@settings(max_examples=40, deadline=None)
@given(value=st.decimals(min_value=-500, max_value=500, places=3), whole=st.integers(-10, 300))
def test_a_number_of_medcalc(value: Decimal, whole: int) -> None:
    low, high = sorted((value * Decimal("0.95"), value * Decimal("1.05")))
    limits = {"answer": f"{value:f}", "lower": f"{low:f}", "upper": f"{high:f}"}
    _right_in_all(medcalc.CLEARANCE.model_copy(update=limits), f"{value:f}")
    _right_in_all(medcalc.SCORE.model_copy(update={"answer": str(whole)}), str(whole))


@settings(max_examples=40, deadline=None)
@given(day=st.dates(min_value=date(1900, 1, 1)), weeks=st.integers(0, 45), days=st.integers(0, 6))
def test_a_date_and_a_length_of_medcalc(day: date, weeks: int, days: int) -> None:
    _right_in_all(medcalc.DUE.model_copy(update={"answer": f"{day:%m/%d/%Y}"}), f"{day:%m/%d/%Y}")
    gold = medcalc.AGE.model_copy(update={"answer": f"('{weeks} weeks', '{days} days')"})
    _right_in_all(gold, f"({weeks} weeks, {days} days)")
    _right_in_all(gold, f"{weeks} weeks and {days} days")


REVIEWS = (
    "{0}",
    "{0}\n",
    "  {0}",
    "```\n{0}\n```",
    '{{"answer": "{0}"}}',
    "**{0}**",
    "> {0}",
    "My review:\n{0}",
    '"{0}"',
    "<think>which one?</think>{0}",
)


def test_a_review_of_a_note() -> None:
    _right_in_all(texts.WRONG, "2 Cultures show Trichomonas.", REVIEWS)
    _right_in_all(texts.FINE, "CORRECT", tuple(form for form in REVIEWS if "review" not in form))


def test_answer_points() -> None:
    said = ". ".join(point.value or point.text for point in texts.SHOCK.points)
    _right_in_all(texts.SHOCK, said)
