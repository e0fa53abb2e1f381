"""How each kind of text of `texts.py` is taken in."""

from datetime import UTC, datetime

from tests.fuzz import seeds


def score(text: str) -> object:
    from clinicnum.scoring import score
    from tests.clinicnum.answering import generation
    from tests.clinicnum.answers import HR, SHARE, TIME, choices, medcalc, texts

    golds = (HR, SHARE, TIME, choices.SHOCK, medcalc.DUE, medcalc.AGE, texts.WRONG, texts.SHOCK)
    return [score(instance=gold, generation=generation(text, of=gold)).model_dump_json() for gold in golds]


def diagnosed(text: str) -> object:
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


def numbers(text: str) -> object:
    from clinicnum.parsing.numbers import numbers_in, read_number

    return read_number(text), read_number(text, count=True, anywhere=True), numbers_in(text)


def times(text: str) -> object:
    from clinicnum.parsing.dates_and_durations import read_date, read_weeks
    from clinicnum.parsing.datetimes import read_datetime, times_in

    return read_datetime(text), times_in(text), read_date(text, anywhere=True), read_weeks(text)


def units(text: str) -> object:
    from clinicnum.parsing.units import compare_units, conversion, unit_at

    written, _ = unit_at(text, 0)
    return (
        written,
        compare_units("mmHg", text),
        compare_units(text, "mmHg"),
        conversion(asked="°C", written=text),
    )


def options_read(text: str) -> object:
    from random import Random

    from clinicnum.variants.imported import why_fixed
    from clinicnum.variants.imported.typos import misspelt_text, without_slips

    assert without_slips(misspelt_text(text, Random(0))) == without_slips(text)
    return why_fixed([text, "B", "aspirin"], text, text)


def choices(text: str) -> object:
    from clinicnum.parsing.chosen_option import begins_with_letter, chooses_to_decline

    return begins_with_letter(text), chooses_to_decline(text, ("yes", "no"))


def columns(text: str) -> object:
    from clinicnum.records.csv_source import parse_columns

    return parse_columns(text)


def header(text: str) -> object:
    from clinicnum.records.column_units import cell_unit, header_unit

    return (
        header_unit(text, "temperature_c"),
        header_unit(text, "heart_rate_bpm"),
        cell_unit(text, "f:1", "U"),
    )


def cell(text: str) -> object:
    from clinicnum.records.clean import number, parse_time

    return number(text), parse_time(text, "f:1", "charttime")


def variants(text: str) -> object:
    from clinicnum.variants.kinds import parse_variants

    return parse_variants(text)


def quota(text: str) -> object:
    from clinicnum.generation.presets import preset, with_quota

    return with_quota(preset("small"), text)


def retry_after(text: str) -> object:
    from clinicnum.inference.openai.retry_delay import parse_retry_after

    return parse_retry_after(text, now=datetime(2026, 1, 1, tzinfo=UTC))


def address(text: str) -> object:
    from clinicnum.inference.openai.server_address import api_url

    return api_url(text)


def sentences(text: str) -> object:
    from clinicnum.annotations.claims.claim import claim_of_key, claims_of_answer
    from clinicnum.annotations.claims.split_sentences import sentences

    claims = claims_of_answer(text)
    assert [claim_of_key(one.key) for one in claims] == list(claims)
    assert all(text[start:end].strip() == text[start:end] != "" for start, end in sentences(text))
    return claims


def thinking(text: str) -> object:
    from clinicnum.parsing.thinking import split_thinking

    return split_thinking(text)


def question(text: str) -> object:
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


def frame(text: str) -> object:
    from clinicnum.representations.note_frames import UnsuitableError, frame_of

    try:
        return frame_of(text)
    except UnsuitableError as error:
        return str(error)
