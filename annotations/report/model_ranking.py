"""Which models can be told apart, overall and by operation, once their comparisons are corrected."""

from dataclasses import dataclass

from clinicnum.annotations.report.compact_letter_display import compact_letters
from clinicnum.annotations.report.format_cells import LEAST_P
from clinicnum.annotations.report.model_run import in_a_sentence, listed, run_or_model
from clinicnum.annotations.report.question_summary import templates_word
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.accuracy import ALL, AccuracyRow
from clinicnum.stats.jackknife import how_many
from clinicnum.stats.paired_tests import LEVEL
from clinicnum.stats.rounded_figures import percent, rounded


def none_compared(view: StudyView) -> str:
    """The sentence, without its full stop, that no two models could be compared."""
    return f"No two {run_or_model(view.runs)}s could be compared: too few subjects differ between any two"


@dataclass(frozen=True)
class Ranking:
    """The models by accuracy on one operation, or on all (`all`)."""

    on: str
    rows: dict[str, AccuracyRow]
    """Model -> its accuracy, the highest first; models without items are left out."""
    differ: frozenset[frozenset[str]]
    """The pairs of models that differ after correction."""

    @property
    def names(self) -> tuple[str, ...]:
        """The models, the most accurate first."""
        return tuple(self.rows)

    @property
    def letters(self) -> dict[str, str]:
        """Model -> letters; a shared letter: no significant difference."""
        return compact_letters(self.names, self.differ)

    def alike(self, name: str) -> tuple[str, ...]:
        """Other models that do not differ significantly from this one."""
        return tuple(one for one in self.names if one != name and frozenset((one, name)) not in self.differ)


def ranking(view: StudyView, on: str = ALL) -> Ranking:
    """Models ranked by accuracy on one operation, or on all."""
    rows = {run.name: row for run in view.ranked for row in run.accuracy.rows if _is_of(row, on)}
    return Ranking(
        on,
        dict(sorted(rows.items(), key=lambda entry: (-(entry[1].accuracy or 0.0), entry[0]))),
        frozenset(
            frozenset((one.first, one.second))
            for one in view.model_comparisons
            if one.on == on and one.p_corrected is not None and one.p_corrected < LEVEL
        ),
    )


def _is_of(row: AccuracyRow, on: str) -> bool:
    return (row.operation, row.representation) == (on, ALL) and row.accuracy is not None


def tested_pairs(view: StudyView) -> int:
    """Number of pairs of models with a corrected p-value over all items."""
    return sum(one.on == ALL and one.p_corrected is not None for one in view.model_comparisons)


def difference_of_two(view: StudyView) -> str:
    """How far apart two tested models are over all items, as a sentence."""
    (one,) = (each for each in view.model_comparisons if each.on == ALL and each.p_corrected is not None)
    if one.difference is None or one.p is None:
        raise ValueError(f"{one.first} and {one.second} were tested, but have no difference")
    ends = [one.interval.low, one.interval.high]
    known = [end if one.difference >= 0 else -end for end in ends if end is not None]
    p = f"p = {one.p:.3f}" if one.p >= LEAST_P else f"p < {LEAST_P}"
    low_high = [rounded(100 * end, 1) for end in sorted(known)]
    interval = f"95 % interval {' to '.join(low_high)}; " * (len(known) == 2)
    return (
        f"They are {percent(abs(one.difference))} percentage points apart ({interval}{p}), which "
        f"speaks of other subjects and these {templates_word(view.tables.instances)}."
    )


def same_items(view: StudyView) -> bool:
    """Whether every model answered the same items."""
    asked = [{one.instance.instance_id for one in run.answers} for run in view.runs]
    return all(one == asked[0] for one in asked)


def differing_items(view: StudyView) -> str:
    """Warning that models answered different items; empty if all answered the same ones."""
    if same_items(view):
        return ""
    asked = {run.name: {one.instance.instance_id for one in run.answers} for run in view.ranked}
    of_all = set[str]().union(*asked.values())
    fewer = [f"{in_a_sentence(name)} {len(had):,}" for name, had in asked.items() if had != of_all]
    failed = [f"{in_a_sentence(run.name)} {run.failed:,}" for run in view.ranked if run.failed]
    errors = f" Items with an error instead of an answer: {listed(failed)}." if failed else ""
    shared = len(set.intersection(*({one.instance.instance_id for one in run.headline} for run in view.runs)))
    return (
        f" Models were given different items: of {len(of_all):,}, variants included, {listed(fewer)}; what "
        "chose these is not known here."
        f"{errors} "
        f"{how_many(shared, 'item')} {'counts' if shared == 1 else 'count'} for every model. "
        "Rows do not compare models, differences on shared items do. Intervals speak of others like these."
    )
