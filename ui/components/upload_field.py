"""A field that uploads one file with a progress bar, by a route of our own: Gradio's uploads are blocked."""

import json
from collections.abc import Callable, Sequence

import gradio as gr
from markupsafe import Markup

from clinicnum.types import Frozen
from clinicnum.ui.components.gradio_page import Outputs, listen, validated
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
ENABLE = "() => document.getElementById(%s)?.removeAttribute('disabled')"
SCRIPT = (
    f'import("{static_path("components/upload.js")}").then((field) => field.start(element, trigger, %s));'
    '// Gradio knows "choose" as an event of ours by its being named here.'
)


class Uploaded(Frozen):
    """What the field's event `upload` brings: the id under which the server keeps the file."""

    upload: str


def upload_field(
    page: str, *, elem_id: str, label: str, hint: str, accept: Sequence[str], largest: int
) -> gr.HTML:
    """The field of the page at the path `page`, which must have `uploads` (see `ui/app/authorization.py`).

    `accept` lists the endings of files to choose from; `largest` is the most bytes of one. Register
    what reads a file by `listen_for_upload`.
    """
    shown = {"id": _input_id(elem_id), "label": label, "hint": hint, "accept": ",".join(accept)}
    asked = {"address": f"/api{page}/{ROUTE}", "largest": largest}
    return gr.HTML(
        value="",
        html_template=str(TEMPLATE.format(**shown)),
        js_on_load=SCRIPT % json.dumps(asked),
        apply_default_css=False,
        elem_id=elem_id,
    )


def _input_id(elem_id: str | None) -> str:
    return f"{elem_id}-file"


def listen_for_upload(
    field: gr.HTML,
    handler: Callable[..., Outputs],
    inputs: Sequence[gr.components.Component],
    outputs: Sequence[gr.components.Component | gr.blocks.BlockContext],
    *,
    status: gr.HTML,
    cleared: Outputs,
) -> None:
    """Call `handler` with each file that arrives; it takes `gr.SelectData`, which `uploaded` reads.

    As soon as another file is chosen, and before it is sent, the outputs get the values `cleared` (JSON or
    updates): whatever becomes of that file, refused here or by the server or cut off, the earlier one must
    not be used under its name. No other file can be chosen until the handler has answered.
    """
    emptied = json.dumps(["", *cleared])
    field.choose(
        None, None, [status, *outputs], js=f"() => ({emptied})", queue=False, api_visibility="private"
    )
    arrival = listen(field.upload, handler, inputs, outputs, status=status)
    again = ENABLE % json.dumps(_input_id(field.elem_id))
    arrival.then(None, None, None, js=again, queue=False, api_visibility="private")


def uploaded(selected: gr.SelectData) -> str:
    """The id of the file that was just uploaded. Raises InputError for anything else."""
    value = selected.value
    return validated(Uploaded, upload=value.get("upload") if isinstance(value, dict) else None).upload
