"""The GRRAS checklist: items that the data answer, and items that only the authors can.

Guidelines for Reporting Reliability and Agreement Studies: Kottner et al., J Clin Epidemiol
2011;64(1):96-106, 15 items, here in our words.
"""

from collections.abc import Sequence
from statistics import median

from clinicnum.annotations.assignment import REPEAT_GAP
from clinicnum.annotations.guideline import DEFAULT_VERSION, guideline_version_words
from clinicnum.annotations.reliability.intra_rater_agreement import repeat_pairs, repeated
from clinicnum.annotations.report.near_duplicate_items import telling_items
from clinicnum.annotations.report.report_content import Section, Table
from clinicnum.annotations.report.sections.consensus_wording import decided_on, hidden, in_sight, until_saved
from clinicnum.annotations.report.sections.control_items import known_before
from clinicnum.annotations.report.sections.grras_items import COLUMNS, Filled, rows_of
from clinicnum.annotations.report.sections.grras_sample import (
    AND_VARIANTS,
    drawn,
    origin,
    planned,
    rated_of,
)
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.jackknife import how_many
from clinicnum.stats.rounded_figures import percent

_HIDDEN = (
    "gold (with its working or evidence) and score of an answer stay hidden until the first judgement of it "
    "is locked; the model's name and other annotators stay hidden throughout, though the form of a text may "
    "tell models apart; the item is judged with gold and score in sight"
)
_CRITERIA = ", and weighted criteria, which this report lists"
_EXAMPLES = {
    True: "; it shows answers of these runs as examples",
    False: "",
    None: "; it may show answers of these runs as examples",
}
"""Whether the guideline shows answers of these runs (None: not known) -> the clause that says so."""
_SCRIPTED = "gold and score are not hidden from scripted annotators"
_APART = "independently: nobody sees another's judgement"
_ONE_RULE = "not known to be independent: scripted annotators have one gold and one score in sight"


def grras_section(view: StudyView) -> Section:
    """The fifteen items as a table: filled, in part, or missing."""
    rows = rows_of(_filled(view))
    missing = sum(row[3] == "missing" for row in rows)
    part = sum(row[3] == "in part" for row in rows)
    return Section(
        id="grras",
        title="GRRAS items",
        paragraphs=(
            "Guidelines for Reporting Reliability and Agreement Studies (Kottner et al. 2011): "
            f"{len(rows) - missing - part} of {len(rows)} items are filled from the data, {part} in part; "
            f"{missing} are for the authors.",
        ),
        tables=(
            Table(
                id="grras",
                caption="Reporting items for reliability and agreement",
                note="Filled: what the data say. In part: what they say, and what is left to the authors. "
                "Missing: what the authors must add.",
                trace="the tables below and above; design, questions and decisions as the study keeps them",
                columns=COLUMNS,
                rows=rows,
            ),
        ),
    )


def _filled(view: StudyView) -> dict[int, Filled]:
    """Item number -> what the data say, and what is left to the authors."""
    judgements = view.chosen.annotations
    found = _always(view)
    if not judgements:
        return found
    annotators = len({one.annotator_id for one in judgements})
    times = sorted(one.active_ms / 1000 for one in judgements if one.active_ms)
    scripted = "simulated" in view.annotator_kind
    timed = "" if scripted else _timed(view, times)
    told = f"{_process(view.tables, scripted=scripted)}{timed}{_blinding(view)}"
    found[8] = (
        f"{_SCRIPTED if scripted else _HIDDEN + _known(view)}{told}",
        "how people rate" if scripted else None,
    )
    twice = sum(len(by) > 1 for by in view.chosen.by_generation.values())
    found[9] = (
        f"{_ONE_RULE if scripted else _APART}; {twice} of the {len(view.chosen.by_generation)} "
        f"generations rated{hidden(view)} have two or more ratings",
        "whether people's ratings were independent" if scripted else None,
    )
    found[10] = (
        f"{'' if scripted else 'see the methods paragraph; '}judgements that count: {view.chosen.rule}; for "
        "agreement on the response at first, and for what the scorer is compared with: "
        f"{view.chosen.blind_rule}",
        "the statistics: there is no methods paragraph for scripted annotators" if scripted else None,
    )
    found[11] = (
        f"{annotators} annotators, {len(view.chosen.by_generation)} generations, {len(judgements)} "
        f"judgements{hidden(view)}{_suggestions_open(view)}{_following(view)}; {_repeats(view)}",
        None,
    )
    layer = view.agreement.layer("primary").result
    alpha = layer.coefficient("krippendorff_alpha_nominal") if layer is not None else None
    if alpha is not None and alpha.value is not None:
        low, high = alpha.ci95 or (None, None)
        interval = f", 95 % {low:.2f} to {high:.2f}" if low is not None and high is not None else ""
        found[13] = (
            f"table agreement_summary; alpha of the primary class {alpha.value:.2f}{interval}"
            f"{in_sight(view)}",
            None,
        )
    return found


def _known(view: StudyView) -> str:
    """At how many first judgements the gold was known before; empty without any."""
    n = len(view.chosen.known) + len(view.after_rewording)
    of = len(view.chosen.first) + len(view.chosen.known)
    control, of_control = known_before(view)
    return f"; at {n} of {of} first judgements it was or may have been known before (item 11)" * bool(
        n
    ) + f"; on control items it was known before {control} of {of_control}" * bool(control)


def _timed(view: StudyView, seconds: Sequence[float]) -> str:
    """The median active time, or why it is missing; empty if no times were measured."""
    if view.overruns:
        n = how_many(len(view.overruns), "annotator")
        return (
            f"; no median of active time is given, as that of {n} is longer than the time between their saves"
        )
    return f"; median active time {median(seconds):.0f} s an item{until_saved(view)}" if seconds else ""


def _process(tables: StudyTables, *, scripted: bool) -> str:
    """Training, control items, repeats and suggestions, as set when the study was opened."""
    design = tables.design
    if design is None:
        return ""
    suggestions = "there were none"
    if tables.suggestions or design.suggestions != "hidden":
        none = "" if tables.suggestions else ", though there were none"
        suggestions = design.suggestions.replace("_", " ") + none
    blind = "" if scripted else "blind "
    repeats = f"no {blind}repeats"
    if design.repeat_share:
        repeats = (
            f"before each item a chance of {percent(design.repeat_share, 0)} % of a {blind}repeat of one "
            f"given more than {REPEAT_GAP} before, if any is left"
        )
    return (
        f"; {how_many(design.training, 'training item')} with feedback{_qualified(tables)}, "
        f"{how_many(design.controls, 'hidden control item')}, "
        f"{repeats}; suggestions: {suggestions}"
    )


def _qualified(tables: StudyTables) -> str:
    """The threshold after training and how many annotators passed it; empty without one."""
    design, found = tables.design, tables.qualified
    if design is None or design.qualifying is None or found is None:
        return ""
    by_hand = f", {found.by_hand} more by hand" if found.by_hand else ""
    repeated = f"; {found.repeated} of all were given the training again" if found.repeated else ""
    return (
        f" (others were given to those who judged {design.qualifying} of {design.training} as the reference "
        f"on response and class: {found.by_training} qualified{by_hand}{repeated})"
    )


def _blinding(view: StudyView) -> str:
    """How many decisions adjudicators made and contests they settled, and how many of these after they had
    been shown the model; empty without any.
    """
    tables = view.tables
    contests = [one for one in view.contests if one.status != "open"]
    once = " (without those made again in a repeat round)" * (len(view.contests) < len(tables.contests))
    marks = [one.blind for one in tables.adjudications] + [one.blind for one in contests]
    if not marks:
        return ""
    shown, unknown = marks.count(False), marks.count(None)
    made, settled = how_many(len(tables.adjudications), "decision"), how_many(len(contests), "contest")
    said = (
        f"; {'scripted ' * bool(view.scripted_adjudicators)}adjudicators made {made} on "
        f"{decided_on(tables)} and settled "
        f"{settled}{once}; {shown} of all these after the model had been shown"
    )
    return said + (f", and of {unknown} it is not known" if unknown else "")


def _suggestions_open(view: StudyView) -> str:
    """How many judgements were made with suggestions open; empty without any."""
    return (
        f", and {view.chosen.n_suggestions_open} with suggestions open"
        if view.chosen.n_suggestions_open
        else ""
    )


def _following(view: StudyView) -> str:
    """How many first judgements were not blind, as the question's reference was known; empty without any."""
    n, more = len(view.chosen.known), len(view.after_rewording)
    said = (
        f"; {how_many(n, 'first judgement')} followed the reference of the same question (group_id)" * bool(n)
    )
    return said + (
        f"; {how_many(more, 'first judgement')} that {'counts' if more == 1 else 'count'} as blind followed "
        f"the gold of {telling_items(view.tables.instances)}"
    ) * bool(more)


def _repeats(view: StudyView) -> str:
    """How many repeats there are, and how many of them are compared with a first judgement."""
    n = len(repeated(view.tables.annotations))
    return (
        f"{how_many(n, 'repeat')}, {len(repeat_pairs(view.tables.annotations))} compared with the main round"
    )


def _examples(tables: StudyTables) -> str:
    """Whether the guideline shows answers of the runs; of one that the lead wrote only if it is known."""
    if tables.guideline_examples is None and tables.guideline_version != DEFAULT_VERSION:
        return ""
    return _EXAMPLES[tables.guideline_examples]


def _always(view: StudyView) -> dict[int, Filled]:
    tables = view.tables
    classes = sum("." not in one.code for one in tables.taxonomy_codes)
    keys = view.chosen.by_generation or [one.generation_id for one in tables.generations]
    rated = {one.instance_id: one for one in map(view.instance, keys)}.values()
    questions = len(
        {(one.base_id or one.instance_id) if one.operation == "external" else one.group_id for one in rated}
    )
    subjects = {one.subject_id for one in rated}
    sources = sorted({record.source for one in rated for record in one.records})
    genders = {one.subject_id: record.gender for one in rated for record in one.records}
    women, men = (sum(one == letter for one in genders.values()) for letter in "FM")
    models = rated_of(view)
    found: dict[int, Filled] = {
        2: (
            f"taxonomy {tables.taxonomy_name} {tables.taxonomy_version}: {classes} classes, "
            f"{len(tables.taxonomy_codes) - classes} sub-classes, severity 0 to 4"
            f"{_CRITERIA * bool(tables.criteria)}; guideline "
            f"{guideline_version_words(tables.guideline_version)}"
            f"{_examples(tables)}",
            None
            if tables.guideline_version == DEFAULT_VERSION
            else "what the guideline says beside the taxonomy, if anything",
        ),
        3: (
            f"the sample rated{hidden(view)}: {models} on {how_many(questions, 'question')} "
            f"{origin(tables, sources, rated)}{AND_VARIANTS * any(one.variant for one in rated)}",
            "the population that these stand for",
        ),
        6: (
            f"{planned(tables)}{tables.overlap} annotators asked per generation, {len(tables.inclusions)} "
            "generations",
            "how these numbers were chosen",
        ),
        7: (drawn(view), None),
        15: ("annotations.csv, scores.csv and every table of this report as CSV", None),
    }
    if women or men:
        unknown = len(subjects) - women - men
        told = f"subjects of the rated sample: {women} women, {men} men" + (
            f", {unknown} unknown" if unknown else ""
        )
        found[12] = (told, "training and experience of the annotators")
    return found
