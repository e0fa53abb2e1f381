"""The report of a claims study: verdicts on sentences by model, differences between models, agreement."""

from collections.abc import Iterator

from clinicnum.annotations.claims.split_sentences import MOST_SENTENCES
from clinicnum.annotations.claims.verdict_shares import CheckedAnswer, Measure, differences, model_figure
from clinicnum.annotations.guideline import HARMS_DEFINED
from clinicnum.annotations.report.checked_claims import CheckedClaims
from clinicnum.annotations.report.judgements_with_decisions import where_they_differ
from clinicnum.annotations.report.model_run import one_model_asked_twice, run_or_model
from clinicnum.annotations.report.report_content import Cell, Column, Dot, Gap, Plot, Section, Table
from clinicnum.annotations.report.sections.claims_agreement import (
    JUDGED,
    claims_agreement,
    claims_repeats,
)
from clinicnum.annotations.report.sections.judged_answers import (
    cut_off_answers,
    questions_judged,
    weighing,
    weights_column,
)
from clinicnum.annotations.report.sections.share_cells import (
    EFFECTIVE,
    ends,
    figure_cells,
    figure_columns,
    method_of,
    methods_said,
    remarks,
)
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.jackknife import how_many

SHARES: tuple[tuple[Measure, str], ...] = (
    ("supported", "Supported"),
    ("contradicted", "Contradicted"),
    ("not_addressed", "Not addressed"),
    ("omitted", "Omitted"),
    ("major_harm", "Major harm"),
)
"""Measures that are shares, and what they are called."""
_CUT = (
    "Sentences: cut at ends of lines, of lists and formulas too, and after a full stop, question or "
    "exclamation mark or ellipsis with a blank behind it (or behind what closes quotes, brackets or bold "
    "type; Chinese and Japanese marks need none), unless lower case follows or the stop is of a shortened "
    "word. A line whose sentence goes on in lower case on the very next one is not cut at its end; a "
    "heading, or a line that ends in a colon, goes with the sentence after it. Signs of lists (bullets, "
    "numbers) with which a sentence begins, and what has neither letter nor digit, are left out; a text has "
    f"{MOST_SENTENCES} at most, the last one with the rest. Each counts once however many judged it, and "
    "anew where the answer repeats it."
)
"""The rule of `split_sentences`."""
_NO_REPEATS = Gap(what="Agreement of annotators with themselves", why="no answer came twice to an annotator")


def claims_section(view: StudyView) -> Section:
    """All that a claims study finds, from each annotator's last verdicts on each answer."""
    found = CheckedClaims(view)
    return Section(
        id="claims",
        title="Are the answers supported?",
        main=True,
        paragraphs=(_method(found), *_changed(found)),
        tables=tuple(
            table
            for table in (
                _models(found),
                _lengths(found),
                _differences(found),
                claims_agreement(found),
                claims_repeats(found),
            )
            if table.rows
        ),
        plots=_plot(found),
        gaps=() if found.repeats or not found.answers else (_NO_REPEATS,),
    )


def _method(found: CheckedClaims) -> str:
    return (
        f"n = {how_many(found.judgements, 'judgement')} of {how_many(found.answers, 'answer')}."
        f"{questions_judged(found.view)} Each answer was cut into sentences, an unfinished last one too (the "
        "rule stands under the first table), and of each annotators said whether the item's text supports "
        f"it, contradicts it or does not address it; then of each {_reference(found)} whether the "
        "answer states or omits it. They gave the harm of what is omitted, and of what "
        "is contradicted or not addressed that if somebody who cannot see the text acts on it: "
        f"{_harms(found.view)}. Which part of a "
        "sentence decides, and what counts as supported, was for the guideline to say (guideline.md in the "
        f"bundle).{one_model_asked_twice(found.view.runs)} Model names were masked and "
        f"{_score(found.view)}; the reference of an answer came after the verdicts on it were locked"
        f"{_known(found)}. Each annotator's last verdicts "
        f"count{where_they_differ(found.view, 'annotators differ')}: an answer counts with the mean "
        "of their numbers. A share of sentences is their number over the number of all, both summed over "
        f"answers. {weighing(found.view)}. Intervals leave out one subject at a time, with all sentences of "
        "all its answers, as these are no independent facts: they speak of other subjects, on the same kinds "
        f"of questions, judged by the annotators of this study.{cut_off_answers(found.view)}"
    )


def _harms(view: StudyView) -> str:
    """The grades of harm, with their meaning where the study's guideline is known to give it."""
    return HARMS_DEFINED if view.tables.harm_defined else "none, minor or major, as the guideline has them"


def _score(view: StudyView) -> str:
    if view.chosen.scripted:
        return "these scripts judged by the score, which is not hidden from them, and partly by chance"
    return "no score was shown"


def _reference(found: CheckedClaims) -> str:
    """What the reference is, and how many sentences the references of the judged questions have."""
    n = len(
        {(one.item, key) for answers in found.models.values() for one in answers for key in one.keys("r")}
    )
    return (
        "sentence of the reference (the answer that came with the question; "
        f"{how_many(n, 'sentence')} in all)"
    )


def _changed(found: CheckedClaims) -> Iterator[str]:
    """How many verdicts on answers the reference changed; nothing where none was shown."""
    changed, locked = found.changed_after_reference
    if locked:
        yield (
            f"Of {how_many(locked, 'verdict')} on sentences of answers that were locked before the reference "
            f"had been seen, {changed} {'was' if changed == 1 else 'were'} changed once it was in sight "
            "(claims.csv: first revisions whose reference_known is false, complete or not, beside the last)."
        )


def _known(found: CheckedClaims) -> str:
    """In how many judgements the reference was known from another answer, after a comma; empty in none."""
    n = sum(one.reference_known for given in found.judged.values() for one in given)
    of = found.judgements
    judged = {one.instance_id: one.context for one in map(found.view.instance, found.judged)}
    shared = len(set(judged.values())) < len(judged)
    return (
        f", but in {n} of {how_many(of, 'judgement')} the annotator had seen it with another answer to the "
        f"same question{' (references of other questions on the same text are not counted)' * shared}"
    ) * bool(n)


def _models(found: CheckedClaims) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name, answers in found.models.items():
        figures = [model_figure(answers, measure) for measure, _ in SHARES]
        cells = (cell for one in figures for cell in figure_cells(one))
        rows.append((name, len(answers), _sentences(answers), *cells, remarks(*figures)))
    methods = (
        (label, method_of(model_figure(answers, measure)))
        for answers in found.models.values()
        for measure, label in SHARES
    )
    return Table(
        id="claims_models",
        caption="What the item's text says of the answers' sentences",
        note="Unit: of supported, contradicted and not addressed a sentence of an answer, of omitted one of "
        "a reference, of major harm an answer, in which any sentence, contradicted, not addressed or "
        f"omitted, does it; n are answers. {_CUT}"
        f"{methods_said(methods)} {EFFECTIVE} An interval may be narrower than "
        f"that of independent verdicts, one a sentence and annotator{_closer(found)}.",
        trace=f"{JUDGED}, part, model; scores.csv: subject_id{weights_column(found.view)}",
        columns=(
            Column(key="model", label="Model"),
            Column(key="answers", label="Answers", kind="count"),
            Column(key="sentences", label="Sentences", kind="count"),
            *(column for key, label in SHARES for column in figure_columns(key, label)),
            Column(key="remark", label="Remark", kind="note"),
        ),
        rows=tuple(rows),
    )


def _closer(found: CheckedClaims) -> str:
    """How many shares of sentences have a standard error below that of independent verdicts,
    sqrt(p (1 - p) / n), as a clause; empty if none is known to.
    """
    closer = []
    for answers in found.models.values():
        for measure, _ in SHARES[:4]:
            figure, part = model_figure(answers, measure), "r" if measure == "omitted" else "a"
            n = sum(key[0] == part for one in answers for given in one.verdicts for key in given)
            p, error = figure.value, figure.interval.se
            if p is not None and error is not None:
                closer.append(error**2 * n < p * (1 - p))
    return (
        f": for {sum(closer)} of {len(closer)} shares of sentences, the standard error here is below theirs"
        * any(closer)
    )


def _sentences(answers: list[CheckedAnswer]) -> int:
    """How many different sentences of these answers are judged."""
    return sum(len(answer.keys("a")) for answer in answers)


def _lengths(found: CheckedClaims) -> Table:
    figures = {name: model_figure(answers, "claims") for name, answers in found.models.items()}
    return Table(
        id="claims_per_answer",
        caption="Sentences per answer",
        note="Unit: an answer. Who says more has more to be wrong in; shares above do not show it. "
        "Of an answer that was cut off, the sentences up to there are counted."
        + methods_said(("Sentences", method_of(one)) for one in figures.values()),
        trace=f"{JUDGED}, part, model; scores.csv: subject_id{weights_column(found.view)}",
        columns=(
            Column(key="model", label="Model"),
            Column(key="claims", label="Sentences", kind="number"),
            Column(key="claims_ci95", label="95 % interval", kind="interval", under=True),
            Column(key="n", label="n", kind="count", under=True),
            Column(key="remark", label="Remark", kind="note"),
        ),
        rows=tuple((name, *figure_cells(one), remarks(one)) for name, one in figures.items()),
    )


def _differences(found: CheckedClaims) -> Table:
    rows: list[tuple[Cell, ...]] = []
    what = run_or_model(found.view.runs)
    for measure, label in SHARES:
        for one in differences(found.models, measure):
            figure = one.figure
            rows.append(
                (
                    label,
                    f"{one.one} - {one.other}",
                    figure.n,
                    figure.value,
                    ends(figure.interval),
                    remarks(figure),
                )
            )
    return Table(
        id="claims_differences",
        caption=f"Differences between {what}s",
        note=f"Unit: items on which an answer of both {what}s is judged; the difference of the two shares on "
        "these, in percentage points. Intervals put those of both shares together by square-and-add "
        "(Newcombe 1998; Zou and Donner 2008), with the shares' correlation by the delete-one-subject "
        "jackknife; they are not corrected for their number.",
        trace=f"{JUDGED}, part, model, instance_id; scores.csv: subject_id{weights_column(found.view)}",
        columns=(
            Column(key="share", label="Share"),
            Column(key="difference_of", label="Difference of"),
            Column(key="items", label="Items", kind="count"),
            Column(key="difference", label="Points", kind="points"),
            Column(key="ci95", label="95 % interval", kind="points_interval"),
            Column(key="remark", label="Remark", kind="note"),
        ),
        rows=tuple(rows),
    )


def _plot(found: CheckedClaims) -> tuple[Plot, ...]:
    dots = [
        Dot(row=name, series=label, value=figure.value, interval=ends(figure.interval))
        for name, answers in found.models.items()
        for measure, label in SHARES[:3]
        for figure in (model_figure(answers, measure),)
        if figure.value is not None
    ]
    if not dots:
        return ()
    return (
        Plot(
            id="claims_models",
            kind="panels",
            caption="Sentences supported, contradicted and not addressed, with 95 % intervals",
            alt=f"Shares of sentences by verdict for each of {how_many(len(found.models), 'run')}.",
            table="claims_models",
            dots=tuple(dots),
        ),
    )
