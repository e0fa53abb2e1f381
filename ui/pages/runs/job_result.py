"""Progress and result of the job that a form of the page started; shared by both forms."""

from functools import partial

import gradio as gr

from clinicnum.db.database_sessions import Store
from clinicnum.db.work.jobs.job_store import get_job
from clinicnum.ui.components.gradio_page import Outputs, listen, status_line
from clinicnum.ui.components.job_progress import JobProgress
from clinicnum.ui.pages.runs import launch_view as view


class JobResult:
    """The lines above the tabs that show the progress and the result of a job. A form returns `*watch(job),
    ""` for `outputs`.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.status = status_line()
        self.progress = JobProgress(store)
        self.result = gr.HTML(apply_default_css=False)
        self.outputs = [*self.progress.outputs, self.result]

    def listen(self) -> None:
        """Register the handlers."""
        on = partial(listen, status=self.status)
        self.progress.listen(on)
        on(self.progress.finished.change, self.show_result, [self.progress.finished], [self.result])

    def show_result(self, job: object, request: gr.Request) -> Outputs:
        """What a dry run found, or how the answers of a run were scored."""
        with self.store.reading() as session:
            found = get_job(session, user_id=str(request.username), job_id=str(job))
        return "", view.result_view(found.result or {})
