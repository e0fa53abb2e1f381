"""Escape texts of models and people for use in Markdown."""

import re

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~&!])")


def escaped(text: str) -> str:
    """The text on one line, with Markdown and HTML escaped."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))
