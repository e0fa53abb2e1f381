"""What a chat template is given: arguments, and a date that is the same on every day."""

from pathlib import Path
from typing import Any

import pytest

from clinicnum.errors import InputError
from clinicnum.inference.chat_template_inputs import check_arguments, template_arguments, with_fixed_date
from clinicnum.inference.local.prompt_tokens import chat_text
from clinicnum.inference.model_metadata import chat_template
from tests.clinicnum.tiny_models import new_tokenizer, request

DATED = """{%- if not date_string is defined %}{%- if strftime_now is defined %}
{%- set date_string = strftime_now("%d %b %Y") %}{%- endif %}{%- endif -%}
Today: {{ date_string }} or {{ strftime_now('%Y-%m-%d') }}
{%- for one in messages %}|{{ one.content }}{% endfor %}
{%- if enable_thinking is defined and not enable_thinking %}<think></think>{% endif %}"""


def _tokenizer(template: str) -> Any:
    made = new_tokenizer()
    made.chat_template = template
    return made


def test_a_template_that_prints_the_date_prints_the_same_on_every_day() -> None:
    tokenizer = _tokenizer(DATED)
    assert chat_text(tokenizer, request("i", "Q")) == "Today: 01 Jan 2025 or 2025-01-01|Q"
    given = chat_text(tokenizer, request("i", "Q"), {"date_string": "03 Mar 2024"})
    assert given == "Today: 03 Mar 2024 or 2025-01-01|Q"


def test_a_date_in_a_computed_form_is_refused() -> None:
    with pytest.raises(InputError, match="computes the form in which it prints today's date"):
        with_fixed_date("{{ strftime_now(form) }}")


def test_arguments_reach_the_template() -> None:
    tokenizer = _tokenizer(DATED)
    off = template_arguments([], "off")
    check_arguments(DATED, off)
    assert chat_text(tokenizer, request("i", "Q"), off).endswith("|Q<think></think>")
    assert chat_text(tokenizer, request("i", "Q"), template_arguments([], "on")).endswith("|Q")


def test_arguments_are_read_as_json_where_they_are() -> None:
    assert template_arguments(["b=[1, 2]", "a=low", "c=false", "d="]) == {
        "a": "low",
        "b": [1, 2],
        "c": False,
        "d": "",
    }


@pytest.mark.parametrize(
    ("written", "thinking", "said"),
    [
        (["low"], None, "expected KEY=VALUE"),
        (["a-b=1"], None, "expected KEY=VALUE"),
        (["a=1", "a=2"], None, "given twice"),
        (["tokenize=true"], None, "gives this itself"),
        (["enable_thinking=true"], "off", "give one of them"),
    ],
)
def test_wrong_arguments_are_named(written: list[str], thinking: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        template_arguments(written, thinking)


def test_an_argument_that_would_change_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="knows no argument 'reasoning_effort'"):
        check_arguments(DATED, {"reasoning_effort": "low"})
    with pytest.raises(InputError, match="knows no argument 'enable_thinking'"):
        check_arguments("{{ messages }}", template_arguments([], "on"))
    with pytest.raises(InputError, match="knows no argument"):
        check_arguments(None, {"a": 1})


def test_the_template_of_a_folder_is_found_in_both_places(tmp_path: Path) -> None:
    assert chat_template(tmp_path) is None
    (tmp_path / "tokenizer_config.json").write_text('{"chat_template": "old"}')
    assert chat_template(tmp_path) == "old"
    (tmp_path / "chat_template.jinja").write_text("new")
    assert chat_template(tmp_path) == "new"
