"""The `?` beside a figure: a button that opens the figure's explanation in place, without leaving the page.

The browser itself opens and closes the explanation, by mouse and keyboard, and with Escape. No Gradio.
"""

from markupsafe import Markup

from clinicnum.annotations.explanations.all_explanations import EXPLANATIONS
from clinicnum.ui.components.documentation import ADDRESS
from clinicnum.ui.components.language import _


def help_button(key: str, place: object = "") -> Markup:
    """The button and the explanation that it opens.

    `place` tells several figures of one page that share an explanation apart. Raises KeyError for a key that
    no explanation has.
    """
    one = EXPLANATIONS[key]
    title, name = _(one.title), f"cn-what-{key}{place}"
    method = _("Method: {source}.", source=one.source) if one.source else ""
    return Markup(
        '<span class="cn-what"><button type="button" class="cn-help" popovertarget="{name}" '
        'aria-label="{ask}" title="{ask}">?</button>'
        '<span id="{name}" class="cn-explanation" role="dialog" aria-label="{title}" popover>'
        "<strong>{title}</strong><span>{text}</span><small>{method}</small>"
        '<small><a href="{words}">{all_words}</a></small>'
        '<button type="button" class="cn-button cn-quiet" popovertarget="{name}" '
        'popovertargetaction="hide">{close}</button></span></span>'
    ).format(
        name=name,
        ask=_("What is this? {figure}", figure=title),
        title=title,
        text=_(one.text),
        method=method,
        words=f"{ADDRESS}/glossary",
        all_words=_("All words of clinicnum explained"),
        close=_("Close"),
    )
