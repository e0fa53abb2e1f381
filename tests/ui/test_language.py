"""Which language a request is answered in, how texts are looked up, and that no text lacks a translation."""

from datetime import date, timedelta

import pytest
from babel.messages.catalog import Catalog
from markupsafe import Markup

from clinicnum.annotations.draw_study_items import draw_items
from clinicnum.annotations.guideline import default_guideline
from clinicnum.annotations.judgement import label_of
from clinicnum.annotations.judgement_text import judgement_text
from clinicnum.annotations.practice_items import practice_items
from clinicnum.annotations.report.sections.consensus_wording import NAMES
from clinicnum.annotations.study_deadline import Pace, deadline_words, outlook
from clinicnum.annotations.study_design import Design, read_design
from clinicnum.annotations.study_preview import preview_study
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.db.work.my_work.work_history import OwnStudy
from clinicnum.errors import InputError
from clinicnum.scripts.dev.update_translations import texts_of_code
from clinicnum.translatable_text import Translatable, joined
from clinicnum.ui.components.judgement_wording import judgement_words
from clinicnum.ui.components.language import (
    LANGUAGES,
    _,
    answer_in,
    error_text,
    key_of,
    language_of,
    ngettext,
)
from clinicnum.ui.components.value_display_names import labelled, word
from clinicnum.ui.pages.adjudicate.position_texts import due_words
from clinicnum.ui.pages.bank import view as bank
from clinicnum.ui.pages.changes import view as changes
from clinicnum.ui.pages.failures import view as failures
from clinicnum.ui.pages.my_work import view as my_work
from clinicnum.ui.pages.studies import new_study_view
from tests.db.examples import FAILURE, material

CLOSED = OwnStudy(study_id="s1", name="six", status="closed", done=3, skipped=1)


@pytest.mark.parametrize(
    ("cookie", "accepted", "language"),
    [
        (None, None, "en"),
        (None, "de-AT,de;q=0.9,en;q=0.8", "de"),
        (None, "fr,en;q=0.4,de;q=0.5", "de"),
        (None, "en-GB,de;q=0.9", "en"),
        (None, "fr, ,;q=x, de;q=one", "en"),
        ("en", "de", "en"),
        ("de", "en", "de"),
        ("xx", "de", "de"),
        ("../../etc/passwd", None, "en"),
    ],
)
def test_the_choice_counts_then_what_the_browser_accepts_then_english(
    cookie: str | None, accepted: str | None, language: str
) -> None:
    assert language_of(cookie, accepted) == language


def test_a_text_is_shown_in_the_language_of_the_request_and_stays_english_elsewhere() -> None:
    assert _("Log out") == "Log out"
    with answer_in("de"):
        assert _("Log out") == "Abmelden"
        assert _("no such text in any catalogue") == "no such text in any catalogue"
    assert _("Log out") == "Log out"


def test_a_translatable_is_english_text_whose_values_are_filled_in_again() -> None:
    text = Translatable("{page} is not open to the role {role}.", page="Bank", role=Translatable("annotator"))
    assert text == "Bank is not open to the role annotator."
    with answer_in("de"):
        assert _(text) == "Bank ist für die Rolle Annotator nicht zugänglich."
        assert error_text(InputError(text)) == _(text)
        assert error_text(InputError("a fault of 5 {lines}")) == "a fault of 5 {lines}"
        assert error_text(InputError("{page} is not open to the role {role}.", page="Bank", role="x")) == (
            "Bank ist für die Rolle x nicht zugänglich."
        )


def test_joined_texts_are_translated_one_by_one() -> None:
    text = joined("; ", [Translatable("annotator"), "as it is {here}", Translatable("curator")])
    assert text == "annotator; as it is {here}; curator"
    with answer_in("de"):
        assert _(text) == f"{_('annotator')}; as it is {{here}}; {_('curator')}"
        assert "annotator" not in _(text)


def test_choices_have_the_same_values_in_every_language() -> None:
    def shown(language: str) -> list[list[tuple[str, str]]]:
        with answer_in(language):
            filters = [labelled(of) for of in (bank.OPERATION, bank.STATUS, bank.SORT, bank.ONLY)]
            operations = failures.filter_choices(["arithmetic", "made up"], word)
            designs = [labelled(of) for of in (new_study_view.INCLUDE_CHOICES, new_study_view.POLICY_CHOICES)]
            strata = [
                new_study_view.operation_choices(),
                new_study_view.representation_choices(),
                new_study_view.status_choices(),
            ]
            own = [my_work.show_choices(CLOSED), my_work.study_choices([CLOSED])]
            people = [changes.kind_choices(), changes.people_choices(["ann-01"])]
            return [*filters, operations, *people, *designs, *strata, *own]

    english, *others = [shown(language) for language in LANGUAGES]
    for other in others:
        assert [[value for _, value in of] for of in other] == [[value for _, value in of] for of in english]


def test_a_judgement_is_said_in_the_language_of_the_page() -> None:
    taxonomy = load_taxonomy()
    judgement = FAILURE.model_copy(update={"custom": {"own_field": "some text"}})
    assert judgement_words(judgement, taxonomy) == judgement_text(judgement, taxonomy)
    with answer_in("de"):
        cause = f"{_('Causal reasoning')}: {_('Arithmetic slip')}"
        also = _("also {codes}", codes=_("Hallucination"))
        facts = f"{_('Severity')}: 2; {_('Confidence')}: {_('High')}"
        own = "own field: some text"
        assert judgement_words(judgement, taxonomy) == f"{_('Failure')}; {cause}; {also}; {facts}; {own}"


def test_values_in_markup_are_escaped() -> None:
    assert _(Markup("<b>{name}</b>"), name="<i>") == "<b>&lt;i&gt;</b>"


def test_one_is_told_from_many() -> None:
    assert ngettext("{n} item", "{n} items", 1) == "1 item"
    assert ngettext("{n} item", "{n} items", 0) == "0 items"


@pytest.fixture(scope="module")
def known() -> Catalog:
    """The texts that the code marks as translatable."""
    return texts_of_code()


def test_every_rule_of_consensus_that_pages_offer_is_in_the_catalogue(known: Catalog) -> None:
    assert [name for name in NAMES.values() if name not in known] == []


def test_what_a_study_promises_and_warns_of_is_in_the_catalogue(known: Catalog) -> None:
    counts = {"left": 12, "recent": 5}
    now, day = date(2026, 6, 1), timedelta(days=1)
    design = Design(overlap=1, size=50, variants=3, include="mixed", suggestions="after_judgement")
    made = material(wrong=4, right=3)
    sample = draw_items(made, {}, design=design, annotators=2, seed=1)
    preview = preview_study(made, sample, design=design, annotators=2, simulated=1)
    assert len(preview.warnings) > 4
    said = [
        preview.of_variants(),
        *preview.unmet,
        *preview.warnings,
        *(deadline_words(now + days * day, now=now) for days in (-2, -1, 0, 1, 2, 300)),
        *(outlook(Pace(**counts, days=days), now + 3 * day, now=now) for days in (1, 7)),
        *(outlook(Pace(**counts, days=7), now - late * day, now=now) for late in (1, 2)),
    ]
    unknown = [one.wording for text in said for one in wordings(text) if one.wording not in known]
    assert unknown == []


def wordings(text: Translatable) -> list[Translatable]:
    """The text and the texts that fill its fields."""
    inner = [one for one in text.values.values() if isinstance(one, Translatable)]
    return [text, *(deeper for one in inner for deeper in wordings(one))]


@pytest.mark.parametrize(
    ("reason", "english", "wording", "values"),
    [
        (
            "item judgement: gold_wrong against valid",
            "item judgement: gold wrong against valid",
            "item judgement: {values}",
            (label_of("item_judgement", "gold_wrong"), "Valid"),
        ),
        (
            "primary label: causal_reasoning against none",
            "primary label: causal reasoning against none",
            "primary label: {values}",
            ("Causal reasoning", "no failure"),
        ),
    ],
)
def test_why_a_decision_is_due_is_stored_in_english_and_said_in_the_language_of_the_page(
    reason: str, english: str, wording: str, values: tuple[str, str]
) -> None:
    assert due_words(reason) == english
    with answer_in("de"):
        sides = _("{one} against {other}", one=_(values[0]), other=_(values[1]))
        assert due_words(reason) == _(wording, values=sides)
        assert due_words("severity: 1 to 4") == _("severity: {low} to {high}", low=1, high=4)
        assert due_words("primary label: own_code against none", load_taxonomy()).startswith(
            _("primary label: {values}", values="own code")
        )


def test_why_the_expert_judges_a_practice_item_so_is_in_the_catalogue(known: Catalog) -> None:
    assert {item.why for item in practice_items()} <= {key_of(one) for one in known if one.id}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"size": 0}, "greater than or equal to 1"),
        ({"size": "x"}, "a valid integer"),
        ({"include": "none"}, "'mixed', 'incorrect' or 'all'"),
        ({"training": 1, "qualifying": 2}, "2 right training judgements"),
        ({"repeat_share": -1}, "greater than or equal to 0"),
    ],
)
def test_what_is_wrong_with_a_value_is_in_the_catalogue(
    known: Catalog, fields: dict[str, object], said: str
) -> None:
    with pytest.raises(InputError, match=said) as caught:
        read_design(fields)
    texts = wordings(caught.value.args[0])
    assert len(texts) > 2
    assert [one.wording for one in texts if one.wording not in known] == []


def test_every_text_of_the_default_guideline_is_in_the_catalogue(known: Catalog) -> None:
    asked: list[str] = []
    default_guideline(load_taxonomy(), lambda text: asked.append(getattr(text, "wording", text)) or text)
    assert set(asked) - {key_of(one) for one in known if one.id} == set()
