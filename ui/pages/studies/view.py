"""Studies and their details as table rows and escaped HTML. No Gradio, no database."""

from collections.abc import Sequence
from datetime import UTC, datetime

from markupsafe import Markup

from clinicnum.annotations.criteria.criterion import Criterion
from clinicnum.annotations.custom_field_answers import declared_words
from clinicnum.annotations.guideline import guideline_version_words
from clinicnum.annotations.study_deadline import deadline_words, today
from clinicnum.annotations.study_design import Design
from clinicnum.annotations.study_summary import AnnotatorProgress, StudyDetails, StudyProgress
from clinicnum.annotations.types import User
from clinicnum.stats.rounded_figures import rounded
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.figure_help import help_button
from clinicnum.ui.components.html import note
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.components.value_display_names import STUDY_STATUS_NAMES, word
from clinicnum.ui.pages.studies.new_study_view import ASKED, INCLUDE, POLICY, annotators_of

STUDY_COLUMNS = (
    Translatable("Study"),
    Translatable("Status"),
    Translatable("Judgements"),
    Translatable("Items filled"),
    Translatable("In work"),
    Translatable("Skipped"),
    Translatable("Flagged"),
    Translatable("Opened"),
    Translatable("Deadline"),
)
ANNOTATOR_COLUMNS = (
    Translatable("Account"),
    Translatable("In exports"),
    Translatable("Done"),
    Translatable("Share"),
    Translatable("In work"),
    Translatable("Skipped"),
    Translatable("Flagged"),
)
DESIGN_COLUMNS = (Translatable("Setting"), Translatable("Value"))
DEADLINE = Translatable(
    "The day, in UTC, by which the work is wanted: year-month-day. It blocks nothing; empty: none."
)
CHOOSE = Translatable("Or click its row in the table.")
CLOSE = Translatable(
    "Nobody can save in it any more, open drafts stay unsent, and its annotators may then see each other's "
    "judgements. To stop for a while only, pause it."
)
REOPEN = Translatable(
    "It was closed, so annotators may have seen each other's judgements: what they change from now on is not "
    "independent. When it was first closed stays on record."
)
PAUSED = Translatable("Study {name} is paused: nobody can save in it until it is reopened.")
REOPENED = Translatable("Study {name} is open: its annotators can go on.")
CLOSED = Translatable("Study {name} is closed: nothing in it can be changed.")
ADDED = Translatable("Study {name} has one more annotator; everyone's share was counted anew.")
GUIDELINE_SAVED = Translatable("Study {name} has a new guideline; judgements from now on carry its version.")
ADD = Translatable("Training and control items are theirs too; everyone's share shrinks.")
NEW_GUIDELINE = Translatable("In Markdown; judgements from then on carry the new version.")


def no_study() -> str:
    """The message while there is no study, as HTML: what the page is for, and what to do."""
    said = _(
        "In a study, people label answers of models: whether each is a failure, of which class, and how "
        "severe. There is no study yet."
    )
    step = Markup('<a href="/studies/?part=new">{}</a>').format(_("Open the first study"))
    return str(note(Markup("{} {}").format(said, step)))


def no_such_study(name: str) -> str:
    """The message that the study named in the address does not exist, as HTML."""
    said = _("There is no study “{study}”; choose one of those there are.", study=name[:100])
    return str(note(said, "warn"))


def study_rows(studies: Sequence[StudyProgress]) -> list[list[str | int]]:
    """Rows for STUDY_COLUMNS, one per study."""
    return [
        [
            one.name,
            _(STUDY_STATUS_NAMES[one.status]),
            _judged(one),
            _("{n} of {total}", n=one.filled, total=one.items),
            one.in_work,
            one.skipped,
            one.flagged,
            _day(one.created_at),
            _deadline(one),
        ]
        for one in studies
    ]


def studies_label(studies: Sequence[StudyProgress]) -> str:
    """The heading of the table of studies."""
    return ngettext("{n} study", "{n} studies", len(studies))


def _deadline(one: StudyProgress) -> str:
    """`due 30 Nov, 4 days left; at risk`; the day alone for a study that is not open; empty without a
    deadline.
    """
    if one.deadline is None:
        return ""
    if one.status != "open":
        return str(one.deadline)
    words = _(deadline_words(one.deadline, now=today()))
    near = one.deadline >= today() and one.is_at_risk(now=datetime.now(UTC))
    return _("{deadline}; at risk", deadline=words) if near else words


def _judged(one: StudyProgress) -> str:
    share = round(100 * one.judged / one.places) if one.places else 0
    return _("{n} of {total} ({share} %)", n=one.judged, total=one.places, share=share)


def summary_view(one: StudyProgress) -> str:
    """A study's progress, as escaped HTML."""
    facts = [
        _("{judged} judgements", judged=_judged(one)),
        _("{n} of {total} items filled", n=one.filled, total=one.items),
        _("{n} due for adjudication", n=one.due),
        ngettext("{n} open contest", "{n} open contests", one.contests),
    ]
    if one.repeats:
        facts.append(ngettext("{n} blind repeat", "{n} blind repeats", one.repeats))
    if one.closed_at is not None:
        closed = _day(one.closed_at)
        facts.append(
            _("first closed {time}", time=closed)
            if one.status == "closed"
            else _("first closed {time} and reopened", time=closed)
        )
    outlook = one.outlook(now=datetime.now(UTC))
    below = "" if outlook is None else Markup('<p class="st-outlook">{}</p>').format(_(outlook))
    page = Markup('<div class="cn-page"><h2>{} <small>{}</small></h2><p class="cn-muted">{} {}</p>{}</div>')
    what = help_button("study_progress", "chosen")
    return str(page.format(one.name, _(STUDY_STATUS_NAMES[one.status]), " · ".join(facts), what, below))


def warning_view(title: str, *texts: str | None) -> str:
    """A warning before a change that is hard to undo, as escaped HTML: a title, then what the change does.

    The texts are wordings, shown in the page's language.
    """
    lines = Markup("").join(Markup("<p>{}</p>").format(_(text)) for text in texts if text)
    return str(
        Markup('<div class="cn-note cn-warn" role="alert"><strong>{}</strong>{}</div>').format(title, lines)
    )


def guideline_view(text: str) -> str:
    """A guideline's source text, as escaped HTML."""
    return str(
        Markup(
            '<div class="cn-page"><pre class="st-text" tabindex="0" role="region" aria-label="{}">'
            "{}</pre></div>"
        ).format(_("Guideline"), text or _("No guideline was given."))
    )


def version_label(version: int, created: datetime) -> str:
    """The label of a guideline version in the dropdown."""
    words = _(guideline_version_words(str(version)))
    return _("{version}, of {time}", version=f"{words[0].upper()}{words[1:]}", time=_day(created))


def _day(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"


def addable(details: StudyDetails, people: Sequence[User]) -> list[str]:
    """The names of accounts that can be added to a study."""
    there = {one.name for one in details.annotators}
    return [one.name for one in annotators_of(people) if one.name not in there]


def annotator_rows(details: StudyDetails) -> list[list[str | int]]:
    """Rows for ANNOTATOR_COLUMNS, one per annotator of the study."""
    return [_annotator(one) for one in details.annotators]


def _annotator(one: AnnotatorProgress) -> list[str | int]:
    name = one.name if one.kind == "human" else _("{name} (simulated)", name=one.name)
    return [name, one.pseudonym, one.done, one.share, one.in_work, one.skipped, one.flagged]


def design_rows(details: StudyDetails) -> list[list[str]]:
    """Rows for DESIGN_COLUMNS: the settings that the study was opened with."""
    design = details.design
    share = [[_("Scored-correct share"), f"{rounded(100 * design.correct_share, 0)} %"]]
    return [
        [_("Runs"), ", ".join(details.runs)],
        [
            _("Drawn from"),
            _(ASKED.get(design.kind) or INCLUDE[design.include]) + _filtered(design),
        ],
        *(share if design.include == "mixed" else []),
        *([[_("Gold answer"), _("beside the answer that is rated")]] if design.reference else []),
        [_("Base questions"), _("all") if design.size is None else str(design.size)],
        [_("Variants"), str(design.variants)],
        [_("Annotators per item"), str(design.overlap)],
        [_("Training, control items"), f"{design.training}, {design.controls}"],
        [
            _("Training items to judge as the reference labels do"),
            str(design.qualifying or _("no threshold")),
        ],
        [_("Blind repeats"), f"{rounded(100 * design.repeat_share, 0)} %"],
        [_("Suggestions"), _(POLICY[design.suggestions])],
        [_("Lease time"), ngettext("{n} minute", "{n} minutes", design.lease_minutes)],
        *([[_("Adjudicators settle besides labels"), _settled(design)]] if design.adjudicated else []),
        *([_own_field(design, one.name), _(declared_words(one))] for one in design.fields),
        *_criteria(details.criteria),
        [_("Seed"), str(details.seed or _("kept secret until the study is closed and decided"))],
    ]


def _settled(design: Design) -> str:
    if design.kind != "ratings":
        return _("where annotators differ")
    return ngettext(
        "where ratings are more than {n} point apart",
        "where ratings are more than {n} points apart",
        design.rating_limit,
    )


def _own_field(design: Design, name: str) -> str:
    return _("Axis {name}", name=name) if design.kind == "ratings" else _("Own field {name}", name=name)


def _criteria(criteria: Sequence[Criterion]) -> list[list[str]]:
    """How many criteria there are, and what those of every item say; a benchmark can have thousands."""
    common = [
        [
            _(
                "Criterion {id}, version {n}, weight {weight}",
                id=one.id,
                n=one.version,
                weight=f"{one.weight:g}",
            ),
            one.text,
        ]
        for one in criteria
        if not one.item
    ]
    own = len(criteria) - len(common)
    return [*common, *([[_("Criteria of single items"), str(own)]] if own else [])]


def _filtered(design: Design) -> str:
    where = design.where
    named = (
        *((_("slice: {words}", words=where.slice),) if where.slice else ()),
        *map(word, where.operations),
        *map(word, where.representations),
        *map(word, where.statuses),
        *where.template_ids,
        *((_("variants among them"),) if where.variants else ()),
    )
    return f" ({', '.join(named)})" if named else ""
