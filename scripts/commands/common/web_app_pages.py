"""Build the pages of the web application, each with its title, its group in the navigation bar, and the right
that it takes.
"""

from collections.abc import Callable

from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.annotations.types import User
from clinicnum.db.database_sessions import Store
from clinicnum.db.upload_storage import Uploads
from clinicnum.db.work.explore.explore_page_data import Explorer
from clinicnum.scripts.commands.common.offered_models import offered_models
from clinicnum.scripts.commands.jobs.readable_paths import data_folder
from clinicnum.translatable_text import Translatable
from clinicnum.ui.app.authorization import Page
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.pages.adjudicate.page import AdjudicateHandlers, build_adjudicate
from clinicnum.ui.pages.agreement.page import build_agreement
from clinicnum.ui.pages.annotate.custom_item_component import BuildItemView
from clinicnum.ui.pages.annotate.page import AnnotateHandlers, build_annotate
from clinicnum.ui.pages.bank.page import build_bank
from clinicnum.ui.pages.benchmarks.page import build_benchmarks
from clinicnum.ui.pages.changes.page import build_changes
from clinicnum.ui.pages.draft.page import DraftHandlers, build_draft
from clinicnum.ui.pages.explore.page import build_explore
from clinicnum.ui.pages.failures.page import build_failures
from clinicnum.ui.pages.home.page import build_home
from clinicnum.ui.pages.item_draft.page import build_item_draft
from clinicnum.ui.pages.items.page import build_items
from clinicnum.ui.pages.jobs.page import build_jobs
from clinicnum.ui.pages.my_work.page import build_my_work
from clinicnum.ui.pages.people.page import build_people
from clinicnum.ui.pages.releases.page import build_releases
from clinicnum.ui.pages.reports.downloads import report_downloads
from clinicnum.ui.pages.reports.page import build_reports
from clinicnum.ui.pages.review.page import build_review
from clinicnum.ui.pages.review_rounds.page import build_rounds
from clinicnum.ui.pages.runs.page import build_runs
from clinicnum.ui.pages.studies.page import build_studies


def build_pages(
    store: Store,
    *,
    find_user: Callable[[str], User | None],
    invitation: Callable[[User], str],
    after_closing: Callable[[], None],
    item_view: BuildItemView | None,
    uploads: Uploads,
) -> tuple[Page, ...]:
    """All pages, in their order within each group of the bar.

    `invitation` gives the path at which an account sets its password; `uploads` takes files; for the others
    see `make_web`.
    """
    explorer = Explorer()  # one for the pages of all languages
    pages: tuple[Page, ...] = (
        Page("/home", Translatable("Home"), None, "see_home", lambda: build_home(store=store, navbar=navbar)),
        Page(
            "/annotate",
            Translatable("Annotate"),
            "label",
            "annotate",
            lambda: build_annotate(navbar=navbar, taxonomy=load_taxonomy(), store=store, item_view=item_view),
            actions=AnnotateHandlers(store).actions(),
        ),
        Page(
            "/my-work",
            Translatable("My work"),
            "label",
            "annotate",
            lambda: build_my_work(store=store, navbar=navbar),
        ),
        Page(
            "/adjudicate",
            Translatable("Adjudicate"),
            "label",
            "adjudicate",
            lambda: build_adjudicate(navbar=navbar),
            actions=AdjudicateHandlers(store).actions(),
        ),
        Page(
            "/studies",
            Translatable("Studies"),
            "label",
            "manage_studies",
            lambda: build_studies(
                store=store,
                uploads=uploads,
                navbar=navbar,
                after_closing=after_closing,
                explorer=explorer,
            ),
            uploads=uploads,
        ),
        Page(
            "/items",
            Translatable("Items"),
            "label",
            "manage_studies",
            lambda: build_items(store=store, navbar=navbar),
        ),
        Page(
            "/benchmarks",
            Translatable("Benchmarks"),
            "evaluate",
            "evaluate",
            lambda: build_benchmarks(store=store, uploads=uploads, navbar=navbar),
            uploads=uploads,
        ),
        Page(
            "/runs",
            Translatable("Runs"),
            "evaluate",
            "evaluate",
            lambda: build_runs(
                store=store,
                uploads=uploads,
                navbar=navbar,
                models=lambda: offered_models(data_folder()),
            ),
            uploads=uploads,
        ),
        Page(
            "/explore",
            Translatable("Explore"),
            "analyse",
            "evaluate",
            lambda: build_explore(store=store, navbar=navbar, explorer=explorer),
        ),
        Page(
            "/jobs",
            Translatable("Jobs"),
            "evaluate",
            "evaluate",
            lambda: build_jobs(store=store, navbar=navbar),
        ),
        Page(
            "/people",
            Translatable("People"),
            "administer",
            "manage_users",
            lambda: build_people(store=store, navbar=navbar, invitation=invitation),
        ),
        Page(
            "/agreement",
            Translatable("Agreement"),
            "analyse",
            "see_agreement",
            lambda: build_agreement(store=store, navbar=navbar),
        ),
        Page(
            "/changes",
            Translatable("Changes"),
            "analyse",
            "see_agreement",
            lambda: build_changes(store=store, navbar=navbar),
        ),
        Page(
            "/reports",
            Translatable("Reports"),
            "analyse",
            "see_report",
            lambda: build_reports(store=store, navbar=navbar),
            downloads=report_downloads(store),
        ),
        Page(
            "/bank", Translatable("Bank"), "curate", "curate", lambda: build_bank(store=store, navbar=navbar)
        ),
        Page(
            "/draft",
            Translatable("Drafts"),
            "curate",
            "curate",
            lambda: build_draft(navbar=navbar),
            actions=DraftHandlers(store).actions(),
        ),
        Page(
            "/item-draft",
            Translatable("Item drafts"),
            "curate",
            "curate",
            lambda: build_item_draft(store=store, navbar=navbar),
        ),
        Page(
            "/failures",
            Translatable("Failures"),
            "curate",
            "curate",
            lambda: build_failures(store=store, navbar=navbar),
        ),
        Page(
            "/rounds",
            Translatable("Reviews"),
            "curate",
            "curate",
            lambda: build_rounds(store=store, navbar=navbar),
        ),
        Page(
            "/releases",
            Translatable("Releases"),
            "curate",
            "curate",
            lambda: build_releases(store=store, navbar=navbar),
        ),
        Page(
            "/review",
            Translatable("Review templates"),
            "curate",
            "review_templates",
            lambda: build_review(store=store, navbar=navbar),
        ),
    )
    navbar = Navbar(find_user=find_user, pages=[page.link() for page in pages])
    return pages
