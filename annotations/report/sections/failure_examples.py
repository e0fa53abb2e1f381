"""The section with examples: one failure in full for each consensus class."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from clinicnum.annotations.adjudication import Adjudication
from clinicnum.annotations.judgement import Judgement, label_of
from clinicnum.annotations.judgement_text import given_answers, short_label
from clinicnum.annotations.report.answer_parsing_notes import kept_for_responses
from clinicnum.annotations.report.failure_class_shares import failure_classes
from clinicnum.annotations.report.question_summary import made_elsewhere
from clinicnum.annotations.report.report_content import Example, Opinion, Section, Span
from clinicnum.annotations.report.sections.consensus_wording import by
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.types import Annotation
from clinicnum.types import SIX_VITALS, TIME_FORMAT, Instance, Record, Vital

MAX_EXAMPLES = 8
_HEADS: dict[Vital, str] = {
    "temperature_c": "Temp °C",
    "heart_rate_bpm": "Heart rate /min",
    "resp_rate_bpm": "Resp. rate /min",
    "spo2_pct": "SpO2 %",
    "sbp_mmhg": "SBP mmHg",
    "dbp_mmhg": "DBP mmHg",
    "pain": "Pain 0-10",
}
VITALS: tuple[Vital, ...] = (*SIX_VITALS, "pain")


_MARKED = "What annotators marked as evidence is highlighted in the response on the page."


def examples_section(view: StudyView) -> Section:
    """The first failure (by generation id) of each level-1 class, in the order of the taxonomy."""
    settled: dict[str, str] = {}
    for key, code in failure_classes(view.settlements).items():
        settled.setdefault(code, key)
    found = [one.code for one in view.tables.taxonomy_codes if one.code in settled]
    classes = found[:MAX_EXAMPLES]
    examples = tuple(_example(view, view.names[code], settled[code]) for code in classes)
    marked = any(span.marked for one in examples for span in one.text)
    said = " No failure has an agreed class."
    return Section(
        id="examples",
        title="Worked examples",
        paragraphs=(
            f"Of each class {by(view.protocol)} the failure whose id comes first"
            f"{f'; the first {MAX_EXAMPLES} of {len(found)} classes' * (len(found) > MAX_EXAMPLES)}. "
            f"{_drawn_on(view, settled)}{_MARKED if marked else ''}".rstrip()
            + (kept_for_responses(view.runs) if classes else said),
        ),
        examples=examples,
    )


def _drawn_on(view: StudyView, settled: Mapping[str, str]) -> str:
    if any(view.instance(key).evidence for key in settled.values()):
        return "Cells that the gold rests on are outlined. "
    if any(view.instance(key).context.strip() for key in settled.values()):
        return "The text that a question is about is not shown. "
    return ""


def _example(view: StudyView, title: str, generation_id: str) -> Example:
    instance, score = view.instance(generation_id), view.score(generation_id)
    annotations = view.chosen.by_generation[generation_id]
    shown = [vital for vital in VITALS if any(getattr(one, vital) is not None for one in instance.records)]
    spans = [span for one in annotations for label in one.labels for span in label.spans]
    return Example(
        title=title,
        generation_id=generation_id,
        facts=(
            *([] if made_elsewhere([instance]) else [_asked_as(instance)]),
            *([("Variant", instance.variant)] if instance.variant else []),
            ("Gold", _gold(instance)),
            ("Read from the response", score.parsed if score.parsed is not None else "nothing"),
            ("Scored", f"{score.status}: {score.reason}"),
            *([("Options", _options(instance))] if instance.options else []),
            ("Working of the gold", "; ".join(instance.worked) or "not given"),
            *_decision(view, generation_id),
            *_contests(view, generation_id),
        ),
        record_heads=("Time", *(_HEADS[vital] for vital in shown)),
        records=tuple(_record(one, shown) for one in instance.records),
        evidence=tuple(
            (cell.record, shown.index(cell.vital) + 1) for cell in instance.evidence if cell.vital in shown
        ),
        question=instance.question,
        text=_marked(view.generation(generation_id).text, spans),
        opinions=tuple(_opinion(view, one) for one in annotations),
    )


def _asked_as(instance: Instance) -> tuple[str, str]:
    return "Operation", f"{instance.operation}, {instance.representation}"


def _decision(view: StudyView, generation_id: str) -> Iterator[tuple[str, str]]:
    """The adjudicator's decision, if the class of the example comes from one."""
    if view.protocol != "three_expert":
        return
    for one in view.tables.adjudications:
        if one.stands and one.generation_id == generation_id:
            said = "; ".join(_judgement(one.judgement))
            yield (
                f"Decided by {one.adjudicator_id}",
                f"{said}; {_labels(view, one.judgement)}; severity {_severity(one.judgement)}"
                f"{_counted(view, one)}",
            )


def _contests(view: StudyView, generation_id: str) -> Iterator[tuple[str, str]]:
    """What was claimed against the question, and what came of it."""
    said = sorted(
        {
            f"{one.kind.replace('_', ' ')}: {one.status}"
            + " (on another answer to the question, in this or another form)"
            * (one.generation_id != generation_id)
            for one in view.contests
            if view.question(one.generation_id) == view.question(generation_id)
        }
    )
    if said:
        out = view.question(generation_id) in view.invalidated
        yield "Contested", f"{'; '.join(said)}{'; left out of accuracy without contested questions' * out}"


def _counted(view: StudyView, one: Adjudication) -> str:
    """The severity that counts, in brackets; empty if it is the decision's own."""
    settled = view.expert_settlements.get(one.generation_id)
    if settled is None or settled.severity == one.judgement.severity:
        return ""
    counted = "none" if settled.severity is None else settled.severity.replace("_", " ")
    return f" (counted: {counted}, by the rule for severity)"


def _labels(view: StudyView, one: Judgement) -> str:
    ordered = sorted(one.labels, key=lambda label: not label.primary)
    return ", then ".join(view.names.get(label.code, label.code) for label in ordered) or "none"


def _severity(one: Judgement) -> str:
    return (one.severity or "–").replace("_", " ")


def _options(instance: Instance) -> str:
    return "; ".join(f"{chr(ord('A') + place)} {text}" for place, text in enumerate(instance.options))


def _gold(instance: Instance) -> str:
    if instance.answer is None:
        return "unanswerable from the record"
    return f"{instance.answer} {instance.unit}" if instance.unit else instance.answer


def _record(record: Record, vitals: Iterable[Vital]) -> tuple[str, ...]:
    values = (getattr(record, vital) for vital in vitals)
    return record.charttime.strftime(TIME_FORMAT), *("–" if one is None else str(one) for one in values)


def _marked(text: str, spans: Iterable[tuple[int, int]]) -> tuple[Span, ...]:
    """The text split into marked and unmarked parts; overlapping spans are merged."""
    marked = [False] * len(text)
    for start, end in spans:
        marked[max(start, 0) : end] = [True] * len(text[max(start, 0) : end])
    cuts = [0, *(at for at in range(1, len(text)) if marked[at] != marked[at - 1]), len(text)]
    return tuple(
        Span(text=text[start:end], marked=marked[start]) for start, end in pairwise(cuts) if end > start
    )


def _judgement(one: Judgement) -> Iterator[str]:
    """The response judgement, and all fields except labels and severity."""
    yield label_of("response_judgement", one.response_judgement)
    for name, value in given_answers(one.public(), defaults=True):
        if name not in ("labels", "severity"):
            yield f"{short_label(name)}: {value}"


def _opinion(view: StudyView, one: Annotation) -> Opinion:
    return Opinion(
        annotator=one.annotator_id,
        kind=one.annotator_kind,
        judgement="; ".join(_judgement(one)),
        labels=_labels(view, one),
        severity=_severity(one),
        rationale=one.rationale or "–",
    )
