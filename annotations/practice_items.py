"""Built-in items to practise on: synthetic questions, planted answers, an expert's judgement and the reason.

They belong to no study, and judgements of them are not stored. Each is served as a `Workitem`, so that a page
shows it and its form exactly as it shows an item of a study.
"""

from functools import lru_cache
from importlib import resources

from pydantic import TypeAdapter

from clinicnum.annotations.chart_facts import ChartFacts
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.judgement_check import check_judgement
from clinicnum.annotations.reconstructed_prompt import asked_of, ending_of
from clinicnum.annotations.taxonomy import Taxonomy, load_taxonomy
from clinicnum.annotations.work_item import Progress, Workitem, reveal_gold, view_instance
from clinicnum.errors import InputError
from clinicnum.io.strict_json import plain_json
from clinicnum.prompt import DEFAULT_PROMPT, prompt_hash
from clinicnum.scoring import score
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen, Generation, Instance

NAME = Translatable("Practice")
FILE = "practice_items.json"
RUN_META = {
    "prompt_hash": prompt_hash((DEFAULT_PROMPT,)),
    "prompt_ids": [DEFAULT_PROMPT],
    "decoding": {"max_new_tokens": 256},
}
"""Meta of a run of our own, so that the requested form is shown."""


class PracticeItem(Frozen):
    """One item to practise on."""

    instance: Instance
    text: str
    """The planted answer."""
    key: Judgement
    """The expert's judgement."""
    why: str
    """Why the expert judges so, in a sentence."""

    @property
    def generation(self) -> Generation:
        """The planted answer as a generation."""
        key = self.instance.instance_id
        return Generation(
            generation_id=key, run_id="practice", instance_id=key, text=self.text, finish_reason="stop"
        )


@lru_cache(maxsize=1)
def practice_items() -> tuple[PracticeItem, ...]:
    """All practice items, in the order in which they are shown."""
    text = resources.files("clinicnum.annotations").joinpath(FILE).read_text(encoding="utf-8")
    return TypeAdapter(tuple[PracticeItem, ...]).validate_python(plain_json(text)["items"])


def practice_taxonomy() -> Taxonomy:
    """The taxonomy of the codes in the experts' judgements."""
    return load_taxonomy()


def practice_workitem(
    place: int, *, judgement: Judgement | None = None, submitted: bool = False
) -> tuple[Workitem, PracticeItem]:
    """An item as the page shows it: blind, then with the reference, then with the expert's judgement beside
    one's own.

    `place` is the item's index from 0, `judgement` the one made so far. Raises InputError for what the same
    step refuses on an item of a study: a judgement that is incomplete, comes too early, or has unknown codes
    or evidence elsewhere.
    """
    practice = practice_items()[place]
    if judgement is not None:
        _check(judgement, practice, submitted=submitted)
    instance, generation = practice.instance, practice.generation
    taxonomy = practice_taxonomy()
    scored = score(instance=instance, generation=generation)
    reveal = reveal_gold(instance, generation, scored, form_asked=True)
    item = Workitem(
        assignment_id=f"practice-{place}",
        revision=0 if judgement is None else 1 + submitted,
        status="submitted" if submitted else "open",
        study_id="practice",
        study_name=NAME,
        taxonomy_id=taxonomy.id,
        taxonomy_version=taxonomy.version,
        guideline_version="0",
        data_use=None,
        instance=view_instance(instance),
        chart=ChartFacts(),
        asked=asked_of(instance, run_meta=RUN_META, benchmark_meta={}),
        text=practice.text,
        ended=ending_of(generation),
        thinking=None,
        judgement=judgement,
        draft=None,
        skip_reason=None,
        flag=None,
        training=False,
        feedback=practice.key if submitted else None,
        suggestions=(),
        progress=Progress(done=place + submitted, skipped=0, total=len(practice_items())),
        reveal=None if judgement is None else reveal,
    )
    return item, practice


def _check(judgement: Judgement, practice: PracticeItem, *, submitted: bool) -> None:
    early = None if submitted else judgement.asked_too_early()
    if early is not None:
        raise InputError(
            "“{early}” is judged once the gold answer is shown; lock the judgement first.", early=early
        )
    missing = judgement.missing() if submitted else None
    if missing is not None:
        raise InputError(missing)
    check_judgement(
        judgement,
        taxonomy=practice_taxonomy(),
        text_length=len(practice.text),
        context_length=len(practice.instance.context),
        records=len(practice.instance.records),
    )
