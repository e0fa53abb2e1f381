"""One instance: records, question and gold, and the answers of several runs beside each other, as HTML."""

from collections.abc import Sequence

from markupsafe import Markup

from clinicnum.annotations.explore.text_diff import parted
from clinicnum.db.work.explore.generation_list import AnsweredInstance, RunAnswer
from clinicnum.scoring.answer_point_recall import PointCheck, point_checks
from clinicnum.types import Instance
from clinicnum.ui.components.answer_points_and_dimensions import dimensions_text, found_words, read_words
from clinicnum.ui.components.html import framed, record_table, table
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.components.scored_reason import scored_reason
from clinicnum.ui.pages.explore.facet_and_figure_wording import ValueNames

MOST_BESIDE = 6
"""Most answers side by side."""


def instance_view(found: AnsweredInstance, names: ValueNames) -> str:
    """The instance with its answers; words that differ from the opened answer are marked."""
    shown = found.answers[:MOST_BESIDE]
    opened = shown[0].generation.text
    answers = Markup("").join(
        _answer(one, found.instance, opened, names, first=one is shown[0]) for one in shown
    )
    left_out = len(found.answers) - len(shown)
    more = (
        ngettext(
            "{n} more answer is not shown; choose fewer runs.",
            "{n} more answers are not shown; choose fewer runs.",
            left_out,
        )
        if left_out
        else ""
    )
    return framed(
        Markup(
            '<section aria-label="{}"><h2>{}</h2>{}<div class="cn-beside">{}</div><p class="cn-muted">{}</p>'
            "</section>"
        ).format(_("One question"), found.instance.question, _asked(found.instance, names), answers, more)
    )


def _asked(one: Instance, names: ValueNames) -> Markup:
    records = record_table(one.records)
    facts = [
        _("Gold answer: {gold}", gold=_with_unit(one)),
        _("Template: {template}", template=one.template_id),
        _("Representation: {name}", name=names("representation", one.representation)),
        _("Variant: {name}", name=names("variant", one.variant or "")),
        _("Patient: {name}", name=one.subject_id),
        *([_("Kind of question: {kind}", kind=dimensions_text(one))] if one.dimensions else []),
    ]
    listed = Markup("").join(Markup("<li>{}</li>").format(text) for text in facts)
    worked = Markup("").join(Markup("<li>{}</li>").format(step) for step in one.worked)
    how = _("What the answer must say") if one.points else _("How the gold answer is worked out")
    solution = _fold(how, Markup("<ol>{}</ol>").format(worked))
    return Markup("<ul>{}</ul>{}{}{}").format(
        listed,
        solution if one.worked else "",
        table(_("Records"), records["columns"], records["rows"]) if records["rows"] else "",
        _fold(_("Context"), Markup('<pre class="cn-long">{}</pre>').format(one.context)),
    )


def _with_unit(one: Instance) -> str:
    if one.answer is None:
        return _("not documented")
    return f"{one.answer} {one.unit}" if one.unit else one.answer


def _fold(title: str, content: Markup) -> Markup:
    return Markup('<details class="cn-fold"><summary>{}</summary>{}</details>').format(title, content)


def _answer(one: RunAnswer, asked: Instance, opened: str, names: ValueNames, *, first: bool) -> Markup:
    score, text = one.score, one.generation.text
    status = score.status if score else ""
    points = point_checks(asked, text)
    read = read_words(points, score.parsed if score else None) or _("nothing that could be read")
    tone = "good" if status == "correct" else "bad"
    causes = Markup("").join(
        Markup("<li>{}</li>").format(_cause(one, at, names)) for at in range(len(one.suggestions))
    )
    return Markup(
        '<article class="cn-answer"><h3>{}</h3><p><span class="cn-verdict cn-{}">{}</span> {}</p>'
        '<p class="cn-muted">{}</p>{}{}<div class="cn-long">{}</div></article>'
    ).format(
        names("run", one.run),
        tone,
        names("status", status),
        _("Answer read: {answer}", answer=read),
        scored_reason(score.reason) if score else "",
        _points(points),
        Markup("<p>{}</p><ul>{}</ul>").format(_("Suggested causes"), causes) if causes else "",
        text if first else _marked(text, opened),
    )


def _points(points: Sequence[PointCheck]) -> Markup:
    """Whether each answer point was found in an answer; empty for a question without points."""
    listed = Markup("").join(
        Markup("<li>{} <small>({})</small></li>").format(one.text, found_words(one)) for one in points
    )
    return Markup('<ul class="cn-points">{}</ul>').format(listed) if points else Markup("")


def _cause(one: RunAnswer, at: int, names: ValueNames) -> str:
    found = one.suggestions[at]
    return f"{names('cause', found.code)}: {found.sentence}"


def _marked(text: str, opened: str) -> Markup:
    return Markup("").join(
        Markup("<mark>{}</mark>").format(piece) if differs else Markup("{}").format(piece)
        for piece, differs in parted(text, opened)
    )
