"""A table with one row per record and units in its header: the representation `structured`."""

import random
from collections.abc import Sequence

from clinicnum.representations.record_text import VITALS, Written
from clinicnum.representations.shuffle import otherwise
from clinicnum.representations.style_options import BASE, Style
from clinicnum.representations.vital_names import ABBREVIATED, FULL, UNITS

SENTENCE = "Vital signs of one patient; a dash means not documented."
DELIMITERS = ("\t", ";", ",")
MISSING = "-"
RULE = "|---" * (1 + len(VITALS)) + "|"
_FULL_CELLS = tuple(map("{} ({})".format, FULL, UNITS))


def render(texts: Sequence[Written], seed: str, style: Style = BASE) -> str:
    """Records as a table. `seed` matters only if `style` asks for another order or other separators."""
    head, rows = _head(style), [[time, *(value or MISSING for value in values)] for time, values in texts]
    delimiter = "|"
    if style.shuffled or style.separators:
        rng = random.Random(f"structured:{seed}")  # noqa: S311  reproducible wording, not secrets
        columns, drawn = otherwise(range(1, len(head)), rng.random()), rng.choice(DELIMITERS)
        if style.shuffled:
            head, *rows = [[row[0], *(row[column] for column in columns)] for row in (head, *rows)]
        delimiter = drawn if style.separators else "|"
    if delimiter != "|":
        return "\n".join([SENTENCE, *(delimiter.join(row) for row in (head, *rows))])
    lines = [f"| {' | '.join(row)} |" for row in (head, *rows)]
    return "\n".join([SENTENCE, lines[0], RULE, *lines[1:]])


def _head(style: Style) -> list[str]:
    names = ABBREVIATED if style.abbreviated else FULL
    if style.units is False:
        return ["time", *names]
    return ["time", *(_FULL_CELLS if names is FULL else map("{} ({})".format, names, UNITS))]
