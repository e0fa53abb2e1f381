"""A field that uploads one file with a progress bar, by a route of our own: Gradio's uploads are blocked."""

import json
from collections.abc import Sequence

import gradio as gr
from markupsafe import Markup

from clinicnum.types import Frozen
from clinicnum.ui.components.gradio_page import validated
from clinicnum.ui.components.static_files import static_path

ROUTE = "upload"
"""The last segment of the route's path."""
TEMPLATE = Markup(
    '<div class="cn-upload"><label class="cn-field-label" for="{id}">{label}</label>'
    '<p class="cn-hint" id="{id}-hint">{hint}</p>'
    '<input type="file" id="{id}" accept="{accept}" aria-describedby="{id}-hint">'
    '<progress max="100" value="0" aria-label="{label}" hidden></progress>'
    '<p class="cn-upload-said" role="status"></p></div>'
)
SCRIPT = (
    f'import("{static_path("components/upload.js")}").then((field) => field.start(element, trigger, %s));'
)


class Uploaded(Frozen):
    """What the field's event `upload` brings: the id under which the server keeps the file."""

    upload: str


def upload_field(
    page: str, *, elem_id: str, label: str, hint: str, accept: Sequence[str], largest: int
) -> gr.HTML:
    """The field of the page at the path `page`, which must have `uploads` (see `ui/app/authorization.py`).

    `accept` lists the endings of files to choose from; `largest` is the most bytes of one. Listen for
    `field.upload` with a handler that takes `gr.SelectData`, and read it by `uploaded`.
    """
    shown = {"id": f"{elem_id}-file", "label": label, "hint": hint, "accept": ",".join(accept)}
    asked = {"address": f"/api{page}/{ROUTE}", "largest": largest}
    return gr.HTML(
        value="",
        html_template=str(TEMPLATE.format(**shown)),
        js_on_load=SCRIPT % json.dumps(asked),
        apply_default_css=False,
        elem_id=elem_id,
    )


def uploaded(selected: gr.SelectData) -> str:
    """The id of the file that was just uploaded. Raises InputError for anything else."""
    value = selected.value
    return validated(Uploaded, upload=value.get("upload") if isinstance(value, dict) else None).upload
