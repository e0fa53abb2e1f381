"""The seed of a study: what its sample, its order and the ids that pages show are drawn from.

A seed is secret until its study closes. Whoever knows it, and has the published generations, can work out
which model and round stand behind an item. Drawn ones have 128 bits; a number is what studies were opened
with before, and is easily guessed.
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
    """A seed as it was typed or stored. Raises InputError for anything but digits of the two kinds."""
    if _DRAWN.fullmatch(text):
        return text
    if _NUMBER.fullmatch(text) and int(text) <= LARGEST_NUMBER:
        return int(text)
    raise InputError(
        f"seed {text[:50]!r} cannot be used; expected 32 hexadecimal digits, as the bundle of a closed study "
        f"gives them, or a number from 0 to {LARGEST_NUMBER}"
    )


def is_guessable(seed: Seed) -> bool:
    """Whether somebody could find the seed by trying."""
    return isinstance(seed, int)


def study_secret(seed: Seed, *, study_id: str) -> str:
    """The key of a study's ids and of its annotators' orders: HMAC-SHA256 (RFC 2104) of its id, in hex."""
    return hmac.new(str(seed).encode(), f"study {study_id}".encode(), hashlib.sha256).hexdigest()
