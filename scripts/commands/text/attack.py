"""Result of an attack as lines of text, from the same data as its JSON."""

from collections.abc import Mapping
from typing import Any

from clinicnum.scripts.commands.text.accuracy import aligned, percent

Row = Mapping[str, Any]


def attack_text(found: Row, out: str) -> str:
    """The result of an attack as text: share of the rightly answered items that a variant made the model
    answer wrongly, by number of variants asked and by kind of variant.

    `found` is the content of `attack.json`, `out` the folder that is named as the place of the files.
    """
    budget, items = found["budget"], found["n_items"]
    lines = [found["data_use"]] if found.get("data_use") else []
    lines += [
        f"{found['model']}: {items} of {found['n_bases_asked']} items answered rightly",
        f"{found['order']} attack, at most {budget} variants an item on average: {found['n_asked']} asked of "
        f"{items * budget}",
        "",
        *aligned(
            [
                ("variants asked of an item", "broken by then", "95 % interval"),
                *((str(asked), *_figure(one)) for asked, one in found["by_budget"].items()),
                ("any number", *_figure(found["broken"])),
            ],
            texts=1,
        ),
    ]
    rows = [
        (one["kind"], str(one["broken"]["n"]), str(one["n_broken"]), *_figure(one["broken"]))
        for one in found["kinds"]
    ]
    if rows:
        head = ("kind", "asked", "broken", "share", "95 % interval")
        lines += ["", *aligned([head, *rows], texts=1)]
        lines += ["", "kinds: of the items that they were chosen for, which differ from kind to kind"]
    reason = found["broken"]["undefined"] or found["broken"]["interval"]["undefined"]
    lines += [f"undefined (-): {reason}"] if reason else []
    return "\n".join([*lines, f"benchmark, generations, scores and attack.json in {out}"])


def _figure(figure: Row) -> tuple[str, str]:
    low, high = figure["interval"]["low"], figure["interval"]["high"]
    return percent(figure["value"]), "-" if low is None else f"{percent(low)} to {percent(high)}"
