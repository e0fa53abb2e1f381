"""Published tables of points, kept separate from the bank's so that each can prove the other."""

from fractions import Fraction

Table = tuple[tuple[Fraction | None, int], ...]
"""(upper limit, points) pairs; the limit is inclusive, and the last row has none."""


def _table(text: str) -> Table:
    """A table of `limit:points`, with `-` for no limit."""
    rows = (row.split(":") for row in text.split())
    return tuple((None if limit == "-" else Fraction(limit), int(points)) for limit, points in rows)


# Royal College of Physicians, National Early Warning Score (NEWS) 2, London 2017, chart 1.
NEWS2: dict[str, Table] = {
    "resp_rate_bpm": _table("8:3 11:1 20:0 24:2 -:3"),
    "spo2_pct": _table("91:3 93:2 95:1 -:0"),
    "sbp_mmhg": _table("90:3 100:2 110:1 219:0 -:3"),
    "heart_rate_bpm": _table("40:3 50:1 90:0 110:1 130:2 -:3"),
    "temperature_c": _table("35:3 36:1 38:0 39:1 -:2"),
}
NEWS2_SCALE_2 = {
    "no": _table("83:3 85:2 87:1 -:0"),
    "yes": _table("83:3 85:2 87:1 92:0 94:1 96:2 -:3"),
}
"""Supplemental oxygen -> table."""
NEWS2_CHOICES = {
    "supplemental oxygen": {"yes": 2, "no": 0},
    "consciousness": {
        "alert": 0,
        "new confusion": 3,
        "responds to voice": 3,
        "responds to pain": 3,
        "unresponsive": 3,
    },
}

# Champion HR et al., A revision of the Trauma Score, J Trauma 1989;29:623-629.
TRAUMA: dict[str, Table] = {
    "Glasgow Coma Scale": _table("3:0 5:1 8:2 12:3 -:4"),
    "sbp_mmhg": _table("0:0 49:1 75:2 89:3 -:4"),
    "resp_rate_bpm": _table("0:0 5:1 9:2 29:4 -:3"),
}
