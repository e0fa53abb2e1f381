"""A chat template's inputs besides the messages: its own arguments, and a date that never changes.

Many templates print today's date, so that the prompts of one run would differ from day to day.
"""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from clinicnum.errors import InputError
from clinicnum.io.strict_json import plain_json

TEMPLATE_DATE = datetime(2025, 1, 1)
"""The date that templates print in place of today's."""
THINKING_NAMES = ("enable_thinking", "thinking")
"""What templates call the argument that switches thinking: Qwen3, GLM and others; DeepSeek, Granite."""
_RESERVED = {"messages", "tools", "documents", "chat_template", "tokenize", "add_generation_prompt"}
_CALL = re.compile(r"""strftime_now\(\s*("[^"]*"|'[^']*')\s*\)""")
_OTHER_CALL = re.compile(r"strftime_now\s*\(")


def template_arguments(
    written: Sequence[str], thinking: Literal["on", "off"] | None = None
) -> dict[str, Any]:
    """The arguments that `--template-arg KEY=VALUE` and `--thinking` set; a value that is JSON is read as
    JSON.

    Raises InputError for one without a name or a value, a name that clinicnum sets itself, and a name given
    twice.
    """
    found: dict[str, Any] = {}
    for one in written:
        name, equals, value = one.partition("=")
        if not equals or not name.isidentifier():
            raise InputError(f"--template-arg {one!r}: expected KEY=VALUE, such as reasoning_effort=low")
        if name in _RESERVED:
            raise InputError(f"--template-arg {name}: clinicnum gives this itself; leave it out")
        if name in found:
            raise InputError(f"--template-arg {name}: given twice; give it once")
        found[name] = _value(value)
    if thinking is not None:
        for name in THINKING_NAMES:
            if name in found:
                raise InputError(f"--thinking and --template-arg {name}: give one of them")
            found[name] = thinking == "on"
    return dict(sorted(found.items()))


def _value(text: str) -> Any:
    try:
        return plain_json(text.encode())
    except ValueError:
        return text


def check_arguments(template: str | None, arguments: Mapping[str, Any]) -> None:
    """Raise InputError for arguments that the template does not mention: they would change nothing."""
    switches = [name for name in THINKING_NAMES if name in arguments]
    unknown = [name for name in arguments if not _mentions(template, name)]
    if len(switches) == len(THINKING_NAMES) and len(set(unknown) & set(switches)) < len(THINKING_NAMES):
        unknown = [name for name in unknown if name not in switches]
    if unknown:
        raise InputError(
            f"the model's chat template knows no argument {unknown[0]!r}, so it would change nothing; "
            "leave --template-arg or --thinking out, or see the model's card for the right name"
        )


def _mentions(template: str | None, name: str) -> bool:
    return template is not None and re.search(rf"\b{re.escape(name)}\b", template) is not None


def prints_date(template: object) -> bool:
    """Whether a chat template asks for today's date."""
    return isinstance(template, str) and _OTHER_CALL.search(template) is not None


def with_fixed_date(template: str) -> str:
    """The template with `TEMPLATE_DATE` in place of today's date.

    Raises InputError where the form of the date is computed in the template, so that it cannot be replaced.
    """
    fixed = _CALL.sub(lambda call: json.dumps(TEMPLATE_DATE.strftime(call[1][1:-1])), template)
    if _OTHER_CALL.search(fixed):
        raise InputError(
            "the model's chat template computes the form in which it prints today's date, so prompts would "
            "differ from day to day; write a date into a copy of the template in the model's folder"
        )
    return fixed
