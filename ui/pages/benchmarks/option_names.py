"""Labels for generating and importing, in a clinician's words. No Gradio, no database."""

from clinicnum.db.work.release.releases import ReleaseSummary
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.language import _, ngettext
from clinicnum.variants.imported import IMPORTED_KINDS
from clinicnum.variants.other_patient_passages import LENGTHS
from clinicnum.variants.patient_demographics import AGES

PRESET_NAMES = {
    "small": Translatable("small: 16 questions"),
    "paper": Translatable("as published: 1,424 questions"),
}
BANK_NAMES = {
    "base": Translatable("base: vital signs, as published"),
    "extended": Translatable("extended: scores, doses, oxygen, trends"),
    "all": Translatable("both"),
}
SOURCE_NAMES = {
    "synthetic": Translatable("made-up patients"),
    "mimic-iv-ed": Translatable("MIMIC-IV-ED"),
    "mimic-iv-ed-demo": Translatable("MIMIC-IV-ED demo"),
    "csv": Translatable("a CSV of vital signs"),
}
REPRESENTATION_WORDS = {
    "structured": Translatable("structured: a list of values by time"),
    "templated": Translatable("templated: one sentence for each time"),
    "note": Translatable("note: as in a nurse's note"),
}
VARIANT_NAMES = {
    "representation.abbreviations": Translatable("vital signs abbreviated"),
    "representation.no_units": Translatable("without units"),
    "representation.abbreviations_no_units": Translatable("abbreviated and without units"),
    "representation.order": Translatable("vital signs in another order"),
    "representation.separators": Translatable("other punctuation between values"),
    "input.synonym": Translatable("other words for the same terms"),
    "input.restructure": Translatable("question in another order"),
    "input.typo": Translatable("spelling mistakes"),
    "input.distractor": Translatable("an irrelevant line below the text"),
    "numeric.relevant": Translatable("a needed value changed: the answer changes, too"),
    "numeric.irrelevant": Translatable("another value changed: the answer stays"),
    "missing.masked": Translatable("a needed value missing: the model should decline"),
    "missing.negated": Translatable("denied symptoms below the records"),
    "context.conflict": Translatable("a superseded entry that conflicts with a record"),
    "context.retrieved": Translatable("passages of other patients around the text"),
    **{f"context.long.{n}": Translatable("such passages until the text has {n} words", n=n) for n in LENGTHS},
    "patient.sex.female": Translatable("the patient said to be a woman"),
    "patient.sex.male": Translatable("the patient said to be a man"),
    **{
        f"patient.age.{years}": Translatable("the patient said to be {n} years old", n=years)
        for years in AGES
    },
    "chain.wrong_step": Translatable("a colleague's wrong remark"),
    "chain.early_rounding": Translatable("a colleague's remark that rounds too early"),
    "chain.extra_step": Translatable("one step more to the answer"),
    **{
        f"options.shuffle.{n}": Translatable("answers to choose from, in order {n}", n=n) for n in range(1, 6)
    },
    "prompt.direct": Translatable("asked for the answer alone"),
    "prompt.step_by_step": Translatable("asked to think step by step"),
    "prompt.checklist": Translatable("asked with a checklist"),
}
"""The variants that the page offers; personas are offered by `clinicnum generate` alone."""
IMPORTED_VARIANTS = {name: VARIANT_NAMES[name] for name in IMPORTED_KINDS}
"""The variants that items made elsewhere can have."""
FORMAT_NAMES = {
    "csv-number": Translatable("CSV: answers are numbers or times"),
    "csv-choice": Translatable("CSV: multiple choice"),
    "csv-text": Translatable("CSV: answers are texts"),
    "choice": Translatable("JSONL: multiple choice"),
    "text": Translatable("JSONL: texts with answer points"),
    "healthbench": Translatable("HealthBench"),
    "medcalc": Translatable("MedCalc-Bench"),
    "medec": Translatable("MEDEC"),
    "clinicnumrobbench": Translatable("ClinicNumRobBench"),
}
FIELD_NAMES = {
    "question": Translatable("Question"),
    "answer": Translatable("Gold answer"),
    "context": Translatable("Text that the question is about"),
    "id": Translatable("Number or name of the item"),
    "subject_id": Translatable("Patient"),
    "category": Translatable("Category"),
    "unit": Translatable("Unit of the answer"),
    **{f"option_{letter}": Translatable("Option {letter}", letter=letter.upper()) for letter in "abcdefgh"},
}
"""Fields of a CSV of questions."""


def release_label(release: ReleaseSummary) -> str:
    """A published release of the bank as a choice."""
    templates = ngettext("{n} template", "{n} templates", release.templates)
    return _("release {name}: {templates}", name=release.name, templates=templates)
