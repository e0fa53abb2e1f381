"""The drafts page: edit a template in a form or as YAML with live checks, then send it to review.

The browser saves whenever typing pauses, naming the revision that it edited. Saving over a newer revision is
refused, and the page lets the user merge the two (see `clinicnum.db.work.drafts.drafts`). Checks and previews
are computed from the content in each request, in the same way for form and YAML.
"""

from typing import Any

import gradio as gr
from anyio import CapacityLimiter
from markupsafe import escape

from clinicnum.annotations.curation.derived_template_fields import (
    FIELDS,
    DerivedField,
    derived_fields,
    still_derived,
    with_derived_fields,
)
from clinicnum.annotations.curation.drafts import Draft, OvertakenDraft, check_content
from clinicnum.annotations.curation.review_readiness import read_draft, sound_template, trial_of
from clinicnum.authoring.similar_templates import similar_templates
from clinicnum.authoring.template_trial import preview
from clinicnum.db.database_sessions import Store
from clinicnum.db.work.bank import template_versions
from clinicnum.db.work.bank.template_cache import KnownTemplates
from clinicnum.db.work.drafts import draft_rebase, drafts
from clinicnum.errors import ClinicnumError, Conflict, InputError
from clinicnum.templates.fault_messages import Fault
from clinicnum.templates.parse_template import content_of, content_of_yaml, yaml_of
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.language import _, error_text
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.components.page_action import Action, Reply
from clinicnum.ui.components.static_files import static_path
from clinicnum.ui.pages.draft.form_schema import form_schema
from clinicnum.ui.pages.draft.request_models import (
    CheckRequest,
    ContentRequest,
    CreateRequest,
    DraftRequest,
    LoadRequest,
    RebaseRequest,
    RevisionRequest,
    SaveRequest,
)
from clinicnum.ui.pages.draft.view import (
    derived_fields_view,
    draft_view,
    failure,
    faults_view,
    newer_version_view,
    preview_view,
    similar_templates_view,
    submitted_message,
    success,
    summaries_view,
    trial_view,
)

AT_ONCE = 4
CHECKS_AT_ONCE = 2
"""Most checks at once: each occupies a core, and annotators' saves must not wait for them."""
TEMPLATE = (
    '<div class="cn-page df-page"><h1>{}</h1><div class="df-root" id="content" tabindex="-1"></div></div>'
)
SCRIPT = f'import("{static_path("draft/page.js")}").then((page) => page.start(element));'


class DraftHandlers:
    """The draft page's actions. The middleware has checked that the user may curate templates, and
    `db.work.drafts.drafts` checks it again.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.known = KnownTemplates()

    def actions(self) -> tuple[Action, ...]:
        """All actions of the page; expensive ones have a separate thread limit."""
        threads, checks = CapacityLimiter(AT_ONCE), CapacityLimiter(CHECKS_AT_ONCE)
        quick = (self.load, self.create, self.save, self.rebase, self.take_back, self.discard, self.to_yaml)
        slow = (self.submit, self.check, self.try_out)
        return (
            *(Action(one, self.refuse, threads) for one in quick),
            *(Action(one, self.refuse, checks) for one in slow),
        )

    def load(self, message: LoadRequest, user_id: str) -> Reply:
        """The list of drafts, the form schema and, if named, one draft."""
        with self.store.reading() as session:
            listed = drafts.list_drafts(session)
            reply: Reply = {"schema": form_schema(), "me": user_id, "drafts": summaries_view(listed)}
            if message.draft:
                try:
                    reply["draft"] = draft_view(drafts.load(session, message.draft))
                except InputError as error:
                    reply |= failure(error)
        return reply

    def create(self, message: CreateRequest, user_id: str) -> Reply:
        """Create a draft: from given content, from a version in the bank, or from another draft."""
        with self.store.writing() as session:
            return {"draft": draft_view(self._created(session, message, user_id))}

    def _created(self, session: Any, message: CreateRequest, author: str) -> Draft:
        if message.template:
            row = template_versions.find_version(session, message.template, message.version)
            base = (row.template_id, row.version)
            content = content_of(template_versions.template_of(row))
            draft_id = drafts.begin(session, author=author, content=content, base=base)
        elif message.from_draft:
            draft_id = draft_rebase.begin_from(
                session, author=author, draft_id=message.from_draft, content=message.checked()
            )
        else:
            draft_id = drafts.begin(session, author=author, content=message.checked())
        return drafts.load(session, draft_id)

    def save(self, message: SaveRequest, user_id: str) -> Reply:
        """Save the content and return its new revision. Raises StaleDraft if somebody saved a newer one,
        whose content `refuse` then returns.
        """
        with self.store.writing() as session:
            revision = drafts.save(
                session,
                draft_id=message.draft,
                revision=message.revision,
                content=message.checked(),
                actor=user_id,
            )
        return {"saved": {"revision": revision}}

    def submit(self, message: RevisionRequest, user_id: str) -> Reply:
        """Add the draft to the bank as a version with the status `draft`, ready for review."""
        with self.store.reading() as session:
            content = drafts.load(session, message.draft).content
        sound_template({**content, "status": "draft", "version": 1})  # outside the transaction
        with self.store.writing() as session:
            name, version = drafts.submit(
                session, draft_id=message.draft, revision=message.revision, actor=user_id
            )
            view = draft_view(drafts.load(session, message.draft))
        return {"draft": view, **success(submitted_message(name, version))}

    def rebase(self, message: RebaseRequest, user_id: str) -> Reply:
        """Rebase the draft on the newest version of its template, which the page showed beside it."""
        with self.store.writing() as session:
            draft_rebase.rebase(
                session,
                draft_id=message.draft,
                revision=message.revision,
                version=message.version,
                actor=user_id,
            )
            return {"draft": draft_view(drafts.load(session, message.draft))}

    def take_back(self, message: DraftRequest, user_id: str) -> Reply:
        """Reopen a submitted draft whose review has not begun."""
        with self.store.writing() as session:
            drafts.take_back(session, draft_id=message.draft, actor=user_id)
            return {"draft": draft_view(drafts.load(session, message.draft))}

    def discard(self, message: DraftRequest, user_id: str) -> Reply:
        """Discard a draft; it leaves the list."""
        with self.store.writing() as session:
            drafts.discard(session, draft_id=message.draft, actor=user_id)
        return {"discarded": True, **success(_("The draft is discarded."))}

    def check(self, message: CheckRequest, user_id: str) -> Reply:
        """Check the content: derived fields, faults and a preview on sample patients."""
        try:
            content, found, whole = _with_derived(message)
        except InputError as error:
            return (
                {"yaml_error": error_text(error)} | failure(error)
                if message.yaml is not None
                else failure(error)
            )
        read = read_draft(whole)
        shown = preview(read.template) if read.template is not None else None
        faults = (*read.faults, *(shown.faults if shown else ()))
        return {
            "content": content if message.yaml is not None else None,
            "filled": derived_fields_view(found),
            "followed": derived_fields_view(still_derived(content) if message.yaml is not None else ()),
            "faults": faults_view(one for one in dict.fromkeys(faults) if not _follows_yet(one, whole)),
            "notes": faults_view(read.notes),
            "preview": preview_view(shown) if shown else None,
            "sound": read.template is not None and not faults,
        }

    def try_out(self, message: CheckRequest, user_id: str) -> Reply:
        """Try the content out: validity on many sample patients, and similar templates in the bank."""
        read = read_draft(_with_derived(message)[2])
        if read.template is None:
            return failure(InputError(Translatable("the draft is no template yet; mend what is marked")))
        trial = trial_of(read.template)
        with self.store.reading() as session:
            others = self.known.all(session)
        return {
            "trial": trial_view(trial),
            "faults": faults_view(trial.faults),
            "alike": similar_templates_view(similar_templates(read.template, others)),
        }

    def to_yaml(self, message: ContentRequest, user_id: str) -> Reply:
        """The content as YAML."""
        return {"yaml": yaml_of(message.checked())}

    def refuse(self, error: ClinicnumError, message: Any, user_id: str) -> Reply:
        """The error as a reply; after a conflict it includes the newer revision or version."""
        if isinstance(message, RevisionRequest) and isinstance(error, OvertakenDraft):
            return self._newer(message, error)
        if isinstance(message, RevisionRequest) and isinstance(error, Conflict):
            return self._theirs(message) | failure(error)
        return failure(error)

    def _theirs(self, message: RevisionRequest) -> Reply:
        """The draft's current state if the browser's revision is outdated; else an empty dict."""
        with self.store.reading() as session:
            view = draft_view(drafts.load(session, message.draft))
        same = view["status"] == "open" and view["revision"] == message.revision
        return {} if same else {"theirs": view}

    def _newer(self, message: RevisionRequest, error: OvertakenDraft) -> Reply:
        """The version added to the bank meanwhile, for comparison with the draft."""
        with self.store.reading() as session:
            draft = drafts.load(session, message.draft)
            newer = template_versions.template_of(
                template_versions.find_version(session, error.template_id, error.version)
            )
            base = None if draft.base is None else template_versions.find_version(session, *draft.base)
        begun_from = template_versions.template_of(base) if base is not None and base.payload else None
        return {"theirs": newer_version_view(draft, newer, begun_from)} | failure(error)


def _with_derived(message: CheckRequest) -> tuple[dict[str, Any], tuple[DerivedField, ...], dict[str, Any]]:
    """The draft's content as the browser sent it or as its YAML says, the fields derived from it, and the
    content with these fields. Raises InputError for content that cannot be read or stored.
    """
    content = check_content(message.content if message.yaml is None else content_of_yaml(message.yaml))
    found = derived_fields(content)
    return content, found, with_derived_fields(content, found)


def _follows_yet(fault: Fault, content: dict[str, Any]) -> bool:
    """Whether the fault is about a field that will be derived once the computation tree exists."""
    return len(fault.path) == 1 and fault.path[0] in FIELDS and not content.get("tree")


def build_draft(*, navbar: Navbar) -> gr.Blocks:
    """Build the page; the caller mounts it for users who have the permission `curate`."""
    title = _("Drafts")
    with gr.Blocks(title=f"{title} · clinicnum", analytics_enabled=False, fill_width=True) as page:
        navbar.add_to(page, "/draft")
        gr.HTML(
            value={},
            html_template=TEMPLATE.format(escape(title)),
            js_on_load=SCRIPT,
            apply_default_css=False,
            elem_id="drafts",
        )
    return page
