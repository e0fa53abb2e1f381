"""One sentence per record, always of the same form: the representation `templated`."""

import random
from collections.abc import Sequence

from clinicnum.representations.record_text import Written
from clinicnum.representations.shuffle import otherwise
from clinicnum.representations.style_options import BASE, Style
from clinicnum.representations.vital_names import ABBREVIATED, BARE, FULL, SUFFIXES

SENTENCE = "Vital signs of one patient."
USUAL = (", ", " and ", " was ")
"""Usual separators: between parts, before the last part, and between name and value."""
OTHERS = tuple(
    (joint, joint, link)
    for joint in (", ", "; ", " | ", " / ")
    for link in (" was ", ": ")
    if (joint, link) != (", ", " was ")
)
MISSING = "not documented"


def render(texts: Sequence[Written], seed: str, style: Style = BASE) -> str:
    """Records as sentences. `seed` matters only if `style` asks for another order or other separators."""
    columns, (joint, last, link) = list(range(len(FULL))), USUAL
    if style.shuffled or style.separators:
        rng = random.Random(f"templated:{seed}")  # noqa: S311  reproducible wording, not secrets
        other_columns, other_joints = otherwise(columns, rng.random()), rng.choice(OTHERS)
        columns = other_columns if style.shuffled else columns
        joint, last, link = other_joints if style.separators else USUAL
    names = ABBREVIATED if style.abbreviated else FULL
    ends = BARE if style.units is False else SUFFIXES
    starts = [f"{names[column]}{link}%s" for column in columns]
    sentence = f"At %s, {joint.join(starts[:-1])}{last}{starts[-1]}."
    lines = [SENTENCE]
    for time, values in texts:
        said = [MISSING if (value := values[c]) is None else value + ends[c] for c in columns]
        lines.append(sentence % (time, *said))
    return "\n".join(lines)
