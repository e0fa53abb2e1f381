"""The fifteen items of GRRAS in our words, and the rows made from them."""

from collections.abc import Mapping

from clinicnum.annotations.report.report_content import Cell, Column

Filled = tuple[str, str | None]
"""(text from the data, what is left to the authors)."""
COLUMNS = (
    Column(key="item", label="Item"),
    Column(key="part", label="Part"),
    Column(key="asks", label="Asks for"),
    Column(key="status", label="Status"),
    Column(key="text", label="From the data, or for the authors"),
)
ITEMS: tuple[tuple[int, str, str, str], ...] = (
    (
        1,
        "title, abstract",
        "that reliability or agreement was investigated",
        "say so in the title or abstract",
    ),
    (2, "introduction", "the instrument", "name the taxonomy and the guideline"),
    (3, "introduction", "the population of subjects", "name it"),
    (4, "introduction", "the population of raters", "who the annotators are: profession, training, setting"),
    (5, "introduction", "what is known, and why the study", "earlier agreement on this task, and the reason"),
    (6, "methods", "how the sample size was chosen, and numbers planned", "the plan, and how it was made"),
    (7, "methods", "the sampling", "how items were drawn"),
    (8, "methods", "the rating process: timing, information, blinding", "no judgement has been submitted"),
    (9, "methods", "whether ratings were independent", "no judgement has been submitted"),
    (10, "methods", "the statistical analysis", "no judgement has been submitted"),
    (11, "results", "numbers of raters, subjects and repeats", "no judgement has been submitted"),
    (12, "results", "characteristics of raters and subjects", "age, sex, training, experience"),
    (13, "results", "estimates with their uncertainty", "agreement is undefined; its table says why"),
    (14, "discussion", "the practical relevance", "what this agreement is enough for, and what not"),
    (15, "auxiliary", "detailed results", "give the tables"),
)
"""Number, part of a paper, what is asked for, and what authors must write if the data say nothing."""


def rows_of(filled: Mapping[int, Filled]) -> tuple[tuple[Cell, ...], ...]:
    """One row per item: number, part of a paper, what is asked for, status, text."""
    rows = []
    for number, part, asks, missing in ITEMS:
        if number not in filled:
            rows.append((str(number), part, asks, "missing", missing))
            continue
        said, left = filled[number]
        status = "filled" if left is None else "in part"
        rows.append(
            (str(number), part, asks, status, said if left is None else f"{said}. Still to say: {left}")
        )
    return tuple(rows)
