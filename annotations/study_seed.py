"""The seed of a study, from which its sample, its order and the ids shown on pages are derived.

A seed is secret until its study closes: anyone who knows it and has the published generations can find out
which model and round are behind an item. New seeds are drawn at random and have 128 bits; earlier versions
used a number, which is easily guessed.
"""

import hashlib
import hmac
import re

from clinicnum.errors import InputError

Seed = int | str
"""32 hexadecimal digits, or a number."""
LARGEST_NUMBER = 2**31 - 1
_DRAWN = re.compile(r"[0-9a-f]{32}")
_NUMBER = re.compile(r"[0-9]{1,10}")


def parse_seed(text: str) -> Seed:
    """A seed from typed or stored text. Raises InputError unless it has 32 hexadecimal digits or is a number
    from 0 to LARGEST_NUMBER.
    """
    if _DRAWN.fullmatch(text):
        return text
    if _NUMBER.fullmatch(text) and int(text) <= LARGEST_NUMBER:
        return int(text)
    raise InputError(
        "seed {seed!r} cannot be used; expected 32 hexadecimal digits, as the bundle of a closed study "
        "gives them, or a number from 0 to {most}",
        seed=text[:50],
        most=LARGEST_NUMBER,
    )


def is_guessable(seed: Seed) -> bool:
    """Whether the seed is short enough to be found by trial."""
    return isinstance(seed, int)


def study_secret(seed: Seed, *, study_id: str) -> str:
    """The key for a study's page ids and its annotators' orders: HMAC-SHA256 (RFC 2104) of the study's
    id, in hex.
    """
    return hmac.new(str(seed).encode(), f"study {study_id}".encode(), hashlib.sha256).hexdigest()
