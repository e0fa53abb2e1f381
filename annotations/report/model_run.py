"""One run of a model with all its answers, and its display name."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from clinicnum.inference.model_metadata import asks_form
from clinicnum.prompt import asks_judged_form
from clinicnum.prompt_file import PromptFile, recorded_prompt
from clinicnum.robustness import Answer, Run
from clinicnum.stats.accuracy import AccuracyTable, accuracy_table


@dataclass(frozen=True)
class ModelRun:
    """One run with all its answers."""

    name: str
    """The run's label, else the model's name; with the run's id if several have the same one."""
    answers: tuple[Answer, ...]
    asks_form: bool = True
    """Whether the run's prompts asked for an answer format, which an answer can fail to follow."""
    keeps_readings: bool = False
    """Whether it was imported from MedCalc-Bench, which stores the value that its script parsed from an
    answer.
    """
    own_prompt: PromptFile | None = None
    """The custom prompt that asked all its questions; None for clinicnum's prompts and imported runs."""
    model: str | None = None
    """The model's name and the fingerprint of its weights, as far as the run's meta has them; else None."""
    imported: bool = False
    """Whether its answers were made elsewhere, so that their prompt and limits are not recorded."""
    most_tokens: int | None = None
    """Most new tokens of an answer; None if that is not recorded."""

    @cached_property
    def headline(self) -> tuple[Answer, ...]:
        """Answers that count in headline figures: without errors, to base instances, not flagged by V7."""
        return tuple(
            one
            for one in self.answers
            if one.instance.variant is None and not one.instance.flags and not one.failed
        )

    @cached_property
    def formed(self) -> tuple[Answer, ...]:
        """Headline answers whose prompt requested the answer format that is judged."""
        return tuple(one for one in self.headline if self.asks_form and asks_judged_form(one.instance))

    @cached_property
    def failed(self) -> int:
        """Number of samples with an error instead of an answer: neither drawn nor in accuracy."""
        return sum(one.failed for one in self.answers)

    @cached_property
    def errors_wrong(self) -> tuple[int, int]:
        """(right, total) of the headline answers if errors count as wrong."""
        plain = [one for one in self.answers if one.instance.variant is None and not one.instance.flags]
        return sum(one.score.lenient for one in plain), len(plain)

    @cached_property
    def accuracy(self) -> AccuracyTable:
        """Accuracy by operation and representation, and counts of the answers that it leaves out."""
        return accuracy_table(
            ((one.instance, one.score) for one in self.answers),
            form_asked=bool(self.formed) or not self.headline,
        )

    @cached_property
    def paired(self) -> Run:
        """One answer per instance, for comparisons: the first if there are several."""
        first: dict[str, Answer] = {}
        for one in self.answers:
            if not one.failed:
                first.setdefault(one.instance.instance_id, one)
        return Run(self.name, first)


def model_runs(
    answers: Mapping[str, Iterable[Answer]], metas: Mapping[str, Mapping[str, Any]]
) -> tuple[ModelRun, ...]:
    """The runs with these answers (run id -> answers), named by their meta."""
    of = {run_id: metas.get(run_id, {}) for run_id in answers}
    names = run_names(
        {run_id: str(meta.get("label") or meta.get("model") or "") for run_id, meta in of.items()}
    )
    return tuple(
        ModelRun(
            names[run_id],
            tuple(answers[run_id]),
            asks_form(meta),
            _keeps_readings(meta),
            recorded_prompt(meta),
            " ".join(str(meta[key]) for key in ("model", "model_fingerprint") if meta.get(key)) or None,
            meta.get("client") == "import",
            _most_tokens(meta),
        )
        for run_id, meta in of.items()
    )


def _most_tokens(meta: Mapping[str, Any]) -> int | None:
    decoding = meta.get("decoding")
    most = decoding.get("max_new_tokens") if isinstance(decoding, Mapping) else None
    return most if isinstance(most, int) else None


def asked_differently(runs: Sequence[ModelRun]) -> str:
    """A sentence that the runs were not asked alike: some were made elsewhere, or with another limit of new
    tokens; empty if they were, or if nothing is known.
    """
    elsewhere = [in_a_sentence(run.name) for run in runs if run.imported]
    limits = {run.most_tokens for run in runs if not run.imported}
    if not (elsewhere and limits) and len(limits) < 2:
        return ""
    told = [
        f"{in_a_sentence(run.name)} at most {run.most_tokens} new tokens"
        for run in runs
        if not run.imported and run.most_tokens
    ]
    if elsewhere:
        told.append(f"prompt and limit of {listed(elsewhere)}, made elsewhere, are not recorded")
    return f" The runs were not all asked alike: {', '.join(told)}." if told else ""


def _keeps_readings(meta: Mapping[str, Any]) -> bool:
    return (meta.get("client"), meta.get("source_format")) == ("import", "medcalc")


def of_whose_script(runs: Iterable[ModelRun]) -> str:
    """What follows the word "errors" to say whose they are: ` of MedCalc-Bench's script` if all runs with
    errors in place of answers keep only that script's readings; else empty.
    """
    failing = [run for run in runs if run.failed]
    return " of MedCalc-Bench's script" * (bool(failing) and all(run.keeps_readings for run in failing))


def by_accuracy(runs: Iterable[ModelRun]) -> tuple[ModelRun, ...]:
    """Runs by accuracy, highest first; those with equal accuracy by name, those without an answer last."""

    def place(run: ModelRun) -> tuple[float, str]:
        overall = run.accuracy.overall
        return (1.0 if overall is None or overall.accuracy is None else -overall.accuracy), run.name

    return tuple(sorted(runs, key=place))


def in_a_sentence(name: str) -> str:
    """The name of a run inside a sentence: in quotes if it holds a comma."""
    return f"“{name}”" if "," in name else name


def listed(names: Sequence[str]) -> str:
    """Texts, at least one, as part of a sentence: `a, b and c`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def one_model_asked_twice(runs: Sequence[ModelRun]) -> str:
    """A sentence for each model of which there are several runs; empty without such a model."""
    return "".join(
        f" {listed([in_a_sentence(name) for name in names])} are runs of one model: see “Where this comes "
        "from”."
        for names in _of_one_model(runs)
    )


def run_or_model(runs: Sequence[ModelRun]) -> str:
    """The word for what is compared: `run` if several runs are of one model, else `model`."""
    return "run" if _of_one_model(runs) else "model"


def _of_one_model(runs: Iterable[ModelRun]) -> list[list[str]]:
    """The names of the runs of each model that has several."""
    of: dict[str, list[str]] = {}
    for run in runs:
        if run.model:
            of.setdefault(run.model, []).append(run.name)
    return [names for names in of.values() if len(names) > 1]


def run_names(models: Mapping[str, str]) -> dict[str, str]:
    """Run id -> display name: its label or model, or `run ID` if empty; the id is added if several have that
    name.
    """
    often = Counter(models.values())

    def name(run_id: str, model: str) -> str:
        if not model:
            return f"run {run_id}"
        return model if often[model] == 1 else f"{model} (run {run_id})"

    return {run_id: name(run_id, model) for run_id, model in models.items()}
