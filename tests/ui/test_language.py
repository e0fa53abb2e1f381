"""Which language a request is answered in, how texts are looked up, and that no text lacks a translation."""

import pytest
from markupsafe import Markup

from clinicnum.errors import InputError
from clinicnum.translatable import Translatable
from clinicnum.ui.components.language import _, answer_in, error_text, language_of, ngettext


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


def test_values_in_markup_are_escaped() -> None:
    assert _(Markup("<b>{name}</b>"), name="<i>") == "<b>&lt;i&gt;</b>"


def test_one_is_told_from_many() -> None:
    assert ngettext("{n} item", "{n} items", 1) == "1 item"
    assert ngettext("{n} item", "{n} items", 0) == "0 items"
