"""Drafts, their faults and previews as plain dicts. No Gradio, no database."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache
from typing import Any
from urllib.parse import urlencode

from clinicnum.annotations.curation.derived_template_fields import DerivedField, still_derived
from clinicnum.annotations.curation.drafts import Draft, DraftSummary
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.authoring.similar_templates import SimilarTemplate
from clinicnum.authoring.template_trial import Preview, Trial
from clinicnum.errors import ClinicnumError
from clinicnum.templates.fault_messages import NAMES, Fault
from clinicnum.templates.parse_template import content_of
from clinicnum.templates.template import Template
from clinicnum.translatable_text import Translatable
from clinicnum.types import Instance
from clinicnum.ui.components.context_view import context_blocks, table_cells
from clinicnum.ui.components.judgement_wording import code_name
from clinicnum.ui.components.language import ENGLISH, _, current_language, error_text
from clinicnum.ui.components.value_display_names import word

Json = dict[str, Any]
REJECTED, BROKEN = Translatable("rejected: {rule}"), Translatable("broken: {rule}")
TAKEN = Translatable("{n} questions taken of {total} tried on sample patients.")
MARKED = Translatable("{n} questions taken of {total} tried on sample patients; see what is marked.")
BRIEF = 160
SOURCES = {
    "failure": Translatable("Made from an answer that failed"),
    "contest": Translatable("Made from a contested gold answer"),
    "cluster": Translatable("Made from a failure of a cluster"),
}
SEVERAL = Translatable("Made from {n} failures of a cluster:")


def _at(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"


def summaries_view(drafts: Sequence[DraftSummary]) -> list[Json]:
    """The list of drafts, one dict per draft."""
    return [
        {
            "id": one.draft_id,
            "name": one.template_id,
            "status": one.status,
            "wording": one.wording[:BRIEF],
            "about": _(
                "by {author}; last saved by {name} at {time}",
                author=one.author,
                name=one.changed_by,
                time=_at(one.changed_at),
            ),
            "href": f"/draft/?{urlencode({'draft': one.draft_id})}",
        }
        for one in drafts
    ]


def draft_view(draft: Draft) -> Json:
    """One draft; `followed` has the values that are derived from the rest of its content."""
    one = draft.summary
    return {
        "id": one.draft_id,
        "content": draft.content,
        "revision": one.revision,
        "status": one.status,
        "sent": one.version is not None,
        "standing": _standing(one),
        "changed_by": one.changed_by,
        "changed_at": _at(one.changed_at),
        "facts": list(_facts(draft)),
        "followed": derived_fields_view(still_derived(draft.content)),
    }


def newer_version_view(draft: Draft, newer: Template, base: Template | None) -> Json:
    """The draft with the content of a newer version of its template, for merging the two by field."""
    numbered = {name: draft.content[name] for name in ("version", "status") if name in draft.content}
    said = {name: value for name, value in content_of(newer).items() if name not in ("version", "status")}
    return draft_view(draft) | {
        "content": said | numbered,
        "begun_from": None if base is None else content_of(base),
        "newer": {
            "version": newer.version,
            "name": _name((newer.id, newer.version)),
            "href": bank_link(newer.id, newer.version),
        },
    }


def _standing(one: DraftSummary) -> str:
    saved = {"name": one.changed_by, "time": _at(one.changed_at)}
    if one.status == "submitted" and one.version is not None:
        return _("Sent to review as {template} by {name} at {time}", **saved, template=_name(one.version))
    if one.status == "discarded":
        return _("Discarded by {name} at {time}", **saved)
    return _("Last saved by {name} at {time}", **saved)


SOURCES_SHOWN = 3
"""Most source failures listed for a draft; those of a cluster are alike."""


def _facts(draft: Draft) -> Iterable[Json]:
    written = ", ".join(dict.fromkeys((draft.summary.author, *draft.edited_by)))
    yield {"text": _("Written by {names}; who writes a template does not review it", names=written)}
    if draft.base is not None:
        yield {"text": _("Puts right {template}", template=_name(draft.base)), "href": bank_link(*draft.base)}
    if draft.summary.version is not None:
        yield {
            "text": _("In the bank as {template}", template=_name(draft.summary.version)),
            "href": bank_link(*draft.summary.version),
        }
        if draft.summary.status == "submitted":
            template, version = draft.summary.version
            asked = urlencode({"template": template, "version": version})
            yield {"text": _("Begin a round of review"), "href": f"/rounds/?{asked}"}
    if draft.provokes and not draft.note.startswith(f"Should provoke {draft.provokes}."):
        yield {"text": _("Should provoke {code}", code=draft.provokes)}
    if draft.note:
        yield {"text": draft.note}
    yield from _sources(draft)


def _sources(draft: Draft) -> Iterable[Json]:
    """What the draft was made from, as links; of the failures of a cluster, the first few on one line."""
    addresses = [
        {} if item is None else {"href": f"/failures/?{urlencode({'study': one.study_id, 'item': item})}"}
        for one, item in zip(draft.sources, draft.source_items, strict=True)
    ]
    if len(draft.sources) > 1 and {one.kind for one in draft.sources} == {"cluster"}:
        shown = addresses[:SOURCES_SHOWN]
        yield {
            "text": _(SEVERAL, n=len(draft.sources)),
            "links": [{"text": _("failure {n}", n=n), **address} for n, address in enumerate(shown, 1)],
            "more": _("and {n} more", n=len(addresses) - len(shown)) if len(addresses) > len(shown) else "",
        }
        return
    for one, address in zip(draft.sources, addresses, strict=True):
        yield {"text": _(SOURCES[one.kind]), **address}


def _name(version: tuple[str, int]) -> str:
    return _("{template} version {version}", template=version[0], version=version[1])


def bank_link(template_id: str, version: int) -> str:
    """The URL of a version on the bank page."""
    return f"/bank/?{urlencode({'template': template_id, 'version': version})}"


def derived_fields_view(found: Iterable[DerivedField]) -> list[Json]:
    """The fields that follow from others, each with its value and its path in the template's YAML."""
    return [{"path": list(one.path), "value": one.value} for one in found]


def faults_view(faults: Iterable[Fault]) -> list[Json]:
    """Faults with path and message, and the name of the violated rule (empty for form errors)."""
    return [
        {
            "path": list(one.path),
            "name": "" if one.rule == "form" else _capital(_(NAMES.get(one.rule, one.rule))),
            "message": _capital(_(one.message)),
        }
        for one in faults
    ]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def preview_view(preview: Preview) -> list[list[Json]]:
    """For each sample patient, the question in every representation."""
    return [[_instance(one) for one in example.instances] for example in preview.examples]


def _instance(one: Instance) -> Json:
    unit = f" {one.unit}" if one.unit else ""
    return {
        "representation": word(one.representation),
        "context": [_context_part(drawn, lines) for drawn, lines in context_blocks(one.context)],
        "question": one.question,
        "answer": f"{one.answer}{unit}",
        "worked": list(one.worked),
        "distractors": [[_words(wrong.rule), wrong.value, _code(wrong.code)] for wrong in one.distractors],
    }


def _context_part(drawn: bool, lines: list[str]) -> Json:
    """A part of a context: a drawn table as columns and rows, anything else as text."""
    if not drawn:
        return {"text": "\n".join(lines)}
    columns, *rows = table_cells(lines)
    return {"columns": columns, "rows": rows}


_taxonomy = cache(load_taxonomy)


def _code(code: str) -> str:
    return _words(code) if current_language() == ENGLISH else code_name(_taxonomy(), code)


def _words(name: str) -> str:
    return name.replace("_", " ").replace(".", ": ")


def trial_view(trial: Trial) -> Json:
    """Whether all validity rules hold, and the counts behind it."""
    counts = [
        [_("valid, {representation}", representation=word(name)), str(count)]
        for name, count in trial.by_representation.items()
    ]
    counts += [[_("do not tell right from wrong"), str(trial.flagged)]] if trial.flagged else []
    for text, found in ((REJECTED, trial.rejected), (BROKEN, trial.broken)):
        counts += [[_(text, rule=_words(name)), str(count)] for name, count in found.items()]
    summary = {"n": trial.taken, "total": trial.asked}
    return {
        "holds": trial.holds,
        "summary": _(TAKEN if trial.holds else MARKED, **summary),
        "counts": counts,
    }


def similar_templates_view(found: Iterable[SimilarTemplate]) -> list[Json]:
    """Templates in the bank that ask the same or nearly the same."""
    return [
        {
            "name": _name((one.template_id, one.version)),
            "why": _(one.message),
            "href": bank_link(one.template_id, one.version),
        }
        for one in found
    ]


def submitted_message(name: str, version: int) -> str:
    """The message after a draft was sent to review."""
    return _(
        "{template} is in the bank as a draft; it counts as validated once a review has accepted it.",
        template=_name((name, version)),
    )


def success(text: str) -> Json:
    """A success message as part of a reply."""
    return {"message": {"tone": "good", "text": text}}


def failure(error: ClinicnumError) -> Json:
    """An error message as part of a reply."""
    return {"message": {"tone": "bad", "text": _capital(error_text(error))}}
