"""The criteria in the new-study form: written here, uploaded, or the answer points that the items have."""

from collections.abc import Sequence

import gradio as gr

from clinicnum.annotations.criteria.criterion import Criterion, criteria_of_items
from clinicnum.annotations.criteria.read import (
    LARGEST,
    criteria_of_lines,
    criteria_of_points,
    read_criteria,
)
from clinicnum.db.upload_storage import Upload, Uploads
from clinicnum.errors import InputError
from clinicnum.imports.item_preview import naming
from clinicnum.translatable_text import Translatable
from clinicnum.types import Instance
from clinicnum.ui.components.gradio_page import Outputs, error_message, success_message
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.components.upload_field import upload_field, uploaded
from clinicnum.ui.pages.studies.new_study_values import StudyForm

ABOUT = Translatable(
    "What an answer must say, or must not. Annotators tick each criterion below the answer, by one key: met, "
    "not met, or does not apply. The report then has weighted scores and agreement by criterion."
)
LINES = Translatable("One a line; every answer is judged by all of them, and each weighs 1.")
POINTS = Translatable(
    "Imported questions may list the points that a right answer holds; they are ticked like the others."
)
FILE = Translatable(
    "A CSV with the column text and, if wanted, item_id, criterion_id, weight, must_have and source; or the "
    "files of HealthBench and LiveMedBench. At most {most} MB."
)
ENDINGS = (".csv", ".tsv", ".jsonl", ".json")


class CriteriaFields:
    """The fields, by their name in StudyForm, and the upload with what was found in it."""

    def __init__(self, uploads: Uploads) -> None:
        largest = min(LARGEST, uploads.largest)
        with gr.Accordion(_("Criteria: what each answer is judged by"), open=False):
            gr.Markdown(_(ABOUT), elem_classes="cn-hint")
            lines = gr.Textbox(label=_("Criteria of every item"), info=_(LINES), lines=4, max_length=50_000)
            points = gr.Checkbox(label=_("The answer points of the items"), info=_(POINTS))
            self.upload = upload_field(
                "/studies",
                elem_id="criteria-upload",
                label=_("File of criteria"),
                hint=_(FILE, most=largest // 2**20),
                accept=ENDINGS,
                largest=largest,
            )
            self.found = gr.HTML(apply_default_css=False)
            chosen = gr.Textbox("", visible="hidden", show_label=False, container=False)
        self.fields = {"criteria": lines, "criteria_points": points, "criteria_upload": chosen}


class CriteriaHandlers:
    """Reads what the form holds."""

    def __init__(self, uploads: Uploads) -> None:
        self.uploads = uploads

    def look_at(self, selected: gr.SelectData, request: gr.Request) -> Outputs:
        """Report what an uploaded file holds; delete it if unreadable."""
        upload = self.uploads.find(uploaded(selected), owner=str(request.username))
        try:
            found = self._read(upload)
        except InputError as error:
            self.uploads.delete(upload.upload_id)
            return "", error_message(error), ""
        return "", success_message(_found(found)), upload.upload_id

    def criteria(self, form: StudyForm, instances: Sequence[Instance], user_id: str) -> tuple[Criterion, ...]:
        """All criteria that the form holds. Raises InputError for ones that the study cannot have."""
        criteria = list(criteria_of_lines(form.criteria))
        if form.criteria_points:
            criteria += criteria_of_points(instances)
        if form.criteria_upload:
            criteria += self._read(self.uploads.find(form.criteria_upload, owner=user_id))
        return criteria_of_items(criteria, (one.instance_id for one in instances))

    def _read(self, upload: Upload) -> tuple[Criterion, ...]:
        path = self.uploads.path(upload)
        with naming(path, upload.name):
            return read_criteria(path)


def _found(criteria: Sequence[Criterion]) -> str:
    """How many criteria a file holds, of every item and of single items, in words."""
    items = len({one.item for one in criteria if one.item})
    common = sum(not one.item for one in criteria)
    return " ".join(
        (
            ngettext("The file holds {n} criterion.", "The file holds {n} criteria.", len(criteria)),
            ngettext("{n} belongs to every item.", "{n} belong to every item.", common) if common else "",
            _items(items, len(criteria) - common) if items else "",
        )
    ).strip()


def _items(items: int, criteria: int) -> str:
    """How many criteria belong to single items, and to how many of these, in words."""
    of = ngettext("{n} item", "{n} items", items)
    return ngettext("{n} belongs to {items}.", "{n} belong to {items}.", criteria, items=of)
