"""Which language a request is answered in, how texts are looked up, and that no text lacks a translation."""

import pytest
from markupsafe import Markup

from clinicnum.annotations.judgement_text import judgement_text
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.errors import InputError
from clinicnum.translatable import Translatable, joined
from clinicnum.ui.components.judgement_words import judgement_words
from clinicnum.ui.components.language import LANGUAGES, _, answer_in, error_text, language_of, ngettext
from clinicnum.ui.components.terms import labelled, word
from clinicnum.ui.pages.bank import view as bank
from clinicnum.ui.pages.changes import view as changes
from clinicnum.ui.pages.failures import view as failures
from tests.db.examples import FAILURE


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
            return [*filters, operations, changes.kind_choices(), changes.people_choices(["ann-01"])]

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
