"""What the explore page says of the answers that were found: how many are left out or could not be read."""

from dataclasses import replace

from clinicnum.annotations.explore.slice_accuracy import SliceAccuracy
from clinicnum.stats.jackknife import Interval
from clinicnum.ui.pages.explore import summary_view
from clinicnum.ui.pages.explore.view_query import ViewQuery


def test_a_summary_says_how_many_answers_the_accuracy_of_a_run_leaves_out() -> None:
    interval = Interval(0.0, 0.3, "jeffreys", 13)
    of = SliceAccuracy("", 32, 13, 0, 0.0, interval, None, None, None)
    asked, none = ViewQuery(runs=("r1",)), summary_view.Beside(0, 0, 0)
    said = summary_view.summary(of, 32, replace(none, uncounted=2), asked)
    assert "2 of them are left out of the accuracy of a run." in said
    assert "32 answers to questions about 13 patients." in said
    imported = summary_view.summary(of, 32, replace(none, questions=True), asked)
    assert "left out" not in imported
    assert "32 answers to 13 questions." in imported


def test_a_summary_says_how_many_answers_could_not_be_read_and_leads_to_them() -> None:
    interval = Interval(0.0, 0.3, "jeffreys", 13)
    of = SliceAccuracy("", 32, 13, 4, 0.125, interval, None, None, None)
    asked, beside = ViewQuery(runs=("r1",)), summary_view.Beside(0, 0, 5)
    said = summary_view.summary(of, 32, beside, asked)
    assert "5 of these could not be read and count as not right." in said
    assert "where=status%3Dunparsable" in said
    by_score = asked.model_copy(update={"where": {"status": ("unparsable",)}})
    assert "could not be read" not in summary_view.summary(of, 32, beside, by_score)
