"""A report of a large study: time and memory. The suite makes a small one, `scripts/dev/evidence report` a
large.

`CLINICNUM_REPORT_OUT` names a folder to write Markdown and LaTeX into, which the evidence then compiles.
"""

import os
import resource
import time
from pathlib import Path

from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.markdown_and_latex import report_texts
from clinicnum.annotations.report.render_html_and_csv import render_html, report_csvs
from clinicnum.annotations.report.study_tables import Inclusion, StudyTables
from clinicnum.annotations.types import Annotation
from clinicnum.io.jsonl import replacing
from clinicnum.types import REPRESENTATIONS, Generation, Instance, Score
from tests.annotations.report_example import _annotation, study

ANNOTATIONS = int(os.environ.get("CLINICNUM_REPORT_ANNOTATIONS", "3000"))
FULL = 100_000
MOST_SECONDS, MOST_MB = 10.0, 1024
SUBJECTS, TEMPLATES = 4_000, 42


def test_a_large_study_is_reported_in_time_and_memory() -> None:
    tables = large_study(ANNOTATIONS // 3)
    start, began = time.perf_counter(), time.process_time()
    report = build_report(tables, generated_by="test")
    built = time.perf_counter() - start
    page, csvs, texts = render_html(report), report_csvs(report), report_texts(report)
    seconds, worked = time.perf_counter() - start, time.process_time() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"\n{len(tables.annotations):,} annotations: built in {built:.1f} s, all forms in {seconds:.1f} s "
        f"({worked:.1f} s of a processor), peak {peak} MB, page {len(page) // 1024} KB"
    )
    total = csvs["accuracy.csv"].splitlines()[-1].split(",")
    assert int(total[4]) == len(tables.generations)
    assert len(page) < 3_000_000
    _write(texts)
    if len(tables.annotations) >= FULL - 3:
        assert worked < MOST_SECONDS
        assert peak < MOST_MB


def _write(texts: dict[str, str]) -> None:
    out = os.environ.get("CLINICNUM_REPORT_OUT")
    if out is not None:
        for name, text in texts.items():
            with replacing(Path(out) / name) as handle:
                handle.write(text)


def large_study(generations: int) -> StudyTables:
    """Three annotators on each generation; questions in three representations, two answers in seven right."""
    plain = study(simulated=False)
    kinds = [one for one in plain.instances if not one.flags and one.representation == "structured"][:4]
    instances = tuple(_instance(kinds, n) for n in range(generations))
    scores = tuple(_score(n) for n in range(generations))
    return plain.model_copy(
        update={
            "instances": instances,
            "generations": tuple(_generation(n) for n in range(generations)),
            "scores": scores,
            "inclusions": tuple(
                Inclusion(
                    generation_id=one.generation_id, stratum="made", probability=0.5 if one.lenient else 1.0
                )
                for one in scores
            ),
            "annotations": tuple(_judged(n, one, who) for n, one in enumerate(scores) for who in range(3)),
            "contests": (),
        }
    )


def _instance(kinds: list[Instance], n: int) -> Instance:
    question, written = divmod(n, 3)
    return kinds[question % len(kinds)].model_copy(
        update={
            "instance_id": f"i{n}",
            "group_id": f"q{question}",
            "representation": REPRESENTATIONS[written],
            "subject_id": f"s{question % SUBJECTS}",
            "template_id": f"template_{question % TEMPLATES}",
        }
    )


def _generation(n: int) -> Generation:
    return Generation(
        generation_id=f"g{n}",
        run_id="run1",
        instance_id=f"i{n}",
        text="The heart rate was 90. " * 4,
        finish_reason="stop",
        answer_confidence=0.2 + 0.7 * (n * 7919 % 1000) / 1000,
    )


def _score(n: int) -> Score:
    right = n * 31 % 7 < 2
    return Score(
        generation_id=f"g{n}",
        parsed="90",
        form="json",
        status="correct" if right else "incorrect",
        strict=right and n % 3 == 0,
        lenient=right,
        reason="made up",
    )


def _judged(n: int, score: Score, who: int) -> Annotation:
    made = _annotation(n + (who == 2 and n % 5 == 0), score.generation_id, who, simulated=False)
    if not score.lenient:
        return made
    return made.model_copy(
        update={"item_judgement": "valid", "response_judgement": "acceptable", "labels": (), "severity": None}
    )
