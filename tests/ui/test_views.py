"""What the pages show, as plain functions."""

from datetime import datetime
from decimal import Decimal

from markupsafe import Markup

from clinicnum.annotations.chart_facts import ChartFacts
from clinicnum.annotations.explore.facet_names import MADE_ELSEWHERE
from clinicnum.annotations.reconstructed_prompt import NOT_OURS, asked_of
from clinicnum.annotations.study_strata import StratumPlan
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.annotations.types import User
from clinicnum.annotations.work_item import Progress, RevealedGold, Workitem, reveal_gold, view_instance
from clinicnum.db.work.explore.generation_list import AnsweredInstance, RunAnswer
from clinicnum.scoring import score
from clinicnum.types import Cell, Generation, Instance, Point, Record
from clinicnum.ui.components.answer_points_and_dimensions import imported_facts
from clinicnum.ui.components.html import evidence_places, record_table, table
from clinicnum.ui.components.judgement_form_data import judgement_questions
from clinicnum.ui.components.navbar import PageLink, navigation
from clinicnum.ui.pages.annotate.view import _reveal, assignment_view
from clinicnum.ui.pages.explore.facet_and_figure_wording import ValueNames
from clinicnum.ui.pages.explore.instance_view import instance_view
from clinicnum.ui.pages.studies.study_preview_view import strata_rows
from tests.db.examples import instance

RECORDS = (
    Record(
        subject_id="s",
        stay_id="1",
        charttime=datetime(2180, 5, 10, 6, 27),
        temperature_c=Decimal("37"),
        sbp_mmhg=Decimal(120),
        source="synthetic",
    ),
    Record(
        subject_id="s",
        stay_id="1",
        charttime=datetime(2180, 5, 10, 7),
        sbp_mmhg=Decimal(118),
        source="synthetic",
    ),
)


def test_the_table_leaves_out_vitals_that_no_record_has_and_marks_gaps() -> None:
    shown = record_table(RECORDS)
    assert shown["columns"] == ["Time", "Temp °C", "SBP mmHg"]
    assert (shown["vitals"], shown["minutes"]) == (["temperature_c", "sbp_mmhg"], [0, 33])
    assert shown["rows"] == [["2180-05-10 06:27:00", "37.0", "120"], ["2180-05-10 07:00:00", "–", "118"]]


def test_evidence_is_placed_in_the_columns_that_are_shown() -> None:
    cells = (Cell(record=1, vital="sbp_mmhg"), Cell(record=0, vital="temperature_c"))
    assert evidence_places(cells, RECORDS) == [[1, 2], [0, 1]]


def test_no_two_keys_of_the_page_mean_different_things() -> None:
    taxonomy = load_taxonomy()
    asked = judgement_questions(taxonomy)
    options = [one["key"] for question in asked["questions"] for one in question.get("options", ())]
    top = [one["key"] for one in (*asked["classes"], *asked["questions"])]
    keys = [key for key in (*top, *options, *"szqiyjkl", *"[]?.,+") if key is not None]
    assert len(keys) == 9 + 2 + 13 + 8 + 6
    assert len(keys) == len(set(keys))


def test_text_from_outside_is_escaped() -> None:
    hostile = "<img src=x onerror=alert(1)>"
    shown = table(hostile, (hostile,), [(hostile,)], prose=(0,))
    link = PageLink(hostile, "/a", "annotate", "label")
    bar = navigation(User(user_id="u", name=hostile, role="annotator"), [link], "/a")
    assert isinstance(shown, Markup)
    assert "<img" not in shown
    assert "<img" not in bar


def test_an_item_made_elsewhere_shows_its_options_and_has_an_empty_table() -> None:
    made = Instance(
        instance_id="i",
        group_id="i",
        benchmark_id="b",
        template_id="choice",
        template_version=1,
        operation="external",
        subtype="choice",
        steps=1,
        representation="external",
        context="",
        question="Which?",
        answer="B",
        options=("<b>88</b>", "110"),
        scoring="choice",
        answer_type="choice",
        subject_id="i",
        records=(),
    )
    gold = RevealedGold(
        answer="B",
        answer_exact=None,
        worked=(),
        evidence=(),
        score_status="incorrect",
        parsed="A",
        reason="A is not B",
        difference=None,
        form_missed=False,
        contradictions=(),
    )
    shown = assignment_view(
        Workitem(
            chart=ChartFacts(),
            assignment_id="a",
            revision=0,
            status="open",
            study_id="s",
            study_name="s",
            taxonomy_id="t",
            taxonomy_version="1",
            guideline_version="1",
            data_use=None,
            instance=view_instance(made),
            asked=asked_of(made, run_meta={}, benchmark_meta={}),
            text="A",
            ended=None,
            thinking=None,
            judgement=None,
            draft=None,
            skip_reason=None,
            flag=None,
            training=False,
            feedback=None,
            suggestions=(),
            progress=Progress(done=0, skipped=0, total=1),
            reveal=gold,
        )
    )
    assert shown["asked"] == {"form": None, "turns": [], "unknown": NOT_OURS}
    assert shown["representation"] == "made elsewhere"
    assert shown["options"] == ["A. <b>88</b>", "B. 110"]
    assert shown["table"] == {"columns": ["Time"], "vitals": [], "minutes": [], "rows": []}
    assert shown["reveal"]["evidence"] == []


def test_answer_points_are_shown_with_whether_the_scorer_found_them() -> None:
    points = (
        Point(id="a", text="The shock index is 1.5.", value="1.5"),
        Point(id="b", text="It points to shock and calls for fluids."),
    )
    asked = instance(0).model_copy(
        update={
            "operation": "external",
            "scoring": "points",
            "points": points,
            "dimensions": {"task": "risk"},
        }
    )
    text = "The shock index is 1.5 and a <b>sign</b>."
    made = Generation(
        generation_id="g", run_id="r", instance_id=asked.instance_id, text=text, finish_reason="stop"
    )
    scored = score(instance=asked, generation=made)
    shown = _reveal(reveal_gold(asked, made, scored, form_asked=True), None, ())
    assert (shown["worked"], shown["parsed"]) == ([], "1 of 2 points")
    assert [(one["text"], one["found"], one["said"]) for one in shown["points"]] == [
        (points[0].text, True, "found"),
        (points[1].text, False, "not found"),
    ]
    beside = instance_view(
        AnsweredInstance(asked, (RunAnswer("k", "run", made, scored, ()),)), ValueNames({})
    )
    assert "The shock index is 1.5. <small>(found)</small>" in beside
    assert "calls for fluids. <small>(not found)</small>" in beside
    assert "Kind of question: task: risk" in beside
    assert "Answer read: 1 of 2 points" in beside
    assert [row[0] for row in imported_facts(asked)] == ["What the answer must say", "Kind of question"]
    assert imported_facts(instance(0)) == []


def test_a_stratum_of_questions_made_elsewhere_says_so_once() -> None:
    plans = (
        StratumPlan(stratum="external/external/correct", available=4, drawn=2, probability=0.5),
        StratumPlan(stratum="retrieval/note/failure", available=4, drawn=2, probability=0.5),
    )
    rows = strata_rows(plans)
    assert [row[0] for row in rows] == ["made elsewhere, correct", "retrieval, note, failure"]


def test_vital_signs_that_no_question_names_are_told_from_those_that_nobody_knows() -> None:
    names = ValueNames({})
    assert [names("vital", one) for one in ("", MADE_ELSEWHERE)] == [
        "none named",
        "not known: made elsewhere",
    ]
