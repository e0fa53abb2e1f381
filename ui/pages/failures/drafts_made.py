"""The drafts made from failures, and those that can be made."""

from collections.abc import Mapping, Sequence
from typing import Literal

from clinicnum.annotations.curation.drafted_item import KIND_NAMES
from clinicnum.annotations.curation.labelled_failure import DraftLink, Failure, commonest_template
from clinicnum.ui.components.language import _
from clinicnum.ui.components.markdown_links import escape_markdown
from clinicnum.ui.components.value_display_names import word

Begun = Literal["template", "version", "item"]
"""What a draft is begun as: a new template, the next version of one, an item of an imported benchmark."""
DraftsMade = Mapping[tuple[str, str], Sequence[DraftLink]]


def drafts_of(made: DraftsMade, of: Sequence[Failure]) -> tuple[DraftLink, ...]:
    """The distinct drafts made from any of the failures."""
    return tuple(dict.fromkeys(link for one in of for link in made.get((one.study_id, one.generation), ())))


def drafts_possible(operation: str, scoring: str) -> tuple[Begun, ...]:
    """The kinds of drafts that can be made of a question.

    Of a generated one a template or its next version; of an imported one an item, and a template if its
    answer is a plain number.
    """
    if operation != "external":
        return "template", "version"
    return ("template", "item") if scoring == "numeric" else ("item",)


def next_version_of(failures: Sequence[Failure]) -> str:
    """Which template a new version is begun of, as Markdown; empty where the failures are of one template."""
    if len({one.template_id for one in failures}) == 1:
        return ""
    template, n = commonest_template(failures)
    return _(
        "These failures are of several templates. **New version of the template** begins with {template}, "
        "of which {n} of the {total} are, and of no other more. For another one, begin with a failure of it "
        "under *Individual failures*.",
        template=escape_markdown(template),
        n=n,
        total=len(failures),
    )


def draft_label(link: DraftLink) -> str:
    """The text of a link to a draft."""
    if link.kind == "item":
        names = {str(kind): _(name) for kind, name in KIND_NAMES.items()}
        return ", ".join([_("Item: {kind}", kind=names.get(link.template_id, "")), word(link.status)])
    return ", ".join([link.template_id or _("Draft without an id"), word(link.status)])
