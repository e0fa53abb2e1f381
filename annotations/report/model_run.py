"""One run of a model with everything that was answered in it, and what it is called."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from clinicnum.robustness import Answer, Run
from clinicnum.stats.accuracy import AccuracyTable, accuracy_table


@dataclass(frozen=True)
class ModelRun:
    """One run with everything that was answered in it."""

    name: str
    """The model, and the run's id where two runs have the same model."""
    answers: tuple[Answer, ...]
    asks_form: bool = True
    """Whether its prompts asked for a form, so that an answer can miss it."""
    keeps_readings: bool = False
    """Whether it was imported from MedCalc-Bench, which keeps what its script read out of an answer."""

    @cached_property
    def headline(self) -> tuple[Answer, ...]:
        """Answers that count in headline figures: made, to no variants, and to what discriminates (V7)."""
        return tuple(
            one
            for one in self.answers
            if one.instance.variant is None and not one.instance.flags and not one.failed
        )

    @cached_property
    def formed(self) -> tuple[Answer, ...]:
        """Answers of the headline of which a form was asked; answer points may stand in any."""
        return tuple(one for one in self.headline if self.asks_form and one.instance.scoring != "points")

    @cached_property
    def failed(self) -> int:
        """Samples that hold an error in place of an answer: in no figure, and said beside them."""
        return sum(one.failed for one in self.answers)

    @cached_property
    def accuracy(self) -> AccuracyTable:
        """Accuracy by operation and representation, over all answers."""
        return accuracy_table((one.instance, one.score) for one in self.answers)

    @cached_property
    def paired(self) -> Run:
        """One answer an instance, for comparisons: the first, where there are several."""
        first: dict[str, Answer] = {}
        for one in self.answers:
            if not one.failed:
                first.setdefault(one.instance.instance_id, one)
        return Run(self.name, first)


def run_names(models: Mapping[str, str]) -> dict[str, str]:
    """Run id -> what it is called: its model, and the run's id where that is empty or not the only one."""
    often = Counter(models.values())

    def name(run_id: str, model: str) -> str:
        if not model:
            return f"run {run_id}"
        return model if often[model] == 1 else f"{model} (run {run_id})"

    return {run_id: name(run_id, model) for run_id, model in models.items()}
