"""Score answers in a notebook: from a data frame of answers to verdicts, accuracy, causes and robustness."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from clinicnum.api.benchmark import Benchmark, load_benchmark
from clinicnum.api.data_frames import accuracy_frame, check_columns, to_frame
from clinicnum.diagnosis import rates_for, suggest_all
from clinicnum.errors import InputError
from clinicnum.inference.model_metadata import asks_strict_form
from clinicnum.inference.runner import named_prompts
from clinicnum.io.jsonl import checked_meta, read_jsonl, sha256_file, text_id, write_jsonl
from clinicnum.robustness import join
from clinicnum.robustness import robustness as compute_robustness
from clinicnum.scoring import check_scorable
from clinicnum.scoring import score as judge
from clinicnum.stats.accuracy import STATUSES, accuracy_table
from clinicnum.types import Generation, Score

OPTIONAL = ("finish_reason", "run_id", "generation_id", "answer_confidence", "thinking", "error")
ANSWER = ("generation_id", "run_id", "instance_id", "text", "finish_reason")
VERDICTS = ("parsed", "form", "status", "strict", "lenient", "flexible", "flexible_parsed", "reason")
PROMPTS = ("prompt_hash", "prompt_ids", "prompt")
"""Fields of a run's meta that record its prompts."""
SUGGESTION = ("generation_id", "rank", "code", "rule", "sentence", "spans", "cells")


@dataclass(frozen=True)
class Scores:
    """The answers to a benchmark, each with its score.

    Example:
        >>> import clinicnum, pandas as pd
        >>> benchmark = clinicnum.generate(quota="retrieval=1", representation="note")
        >>> answers = pd.DataFrame({"instance_id": list(benchmark.instances), "text": ["I do not know."]})
        >>> clinicnum.score(benchmark, answers).to_frame()["status"].tolist()
        ['abstained']
    """

    benchmark: Benchmark
    generations: tuple[Generation, ...]
    scores: tuple[Score, ...]
    """The scores, in the order of the generations."""
    prompts: Mapping[str, Any] = field(default_factory=dict)
    """The prompts that were answered, as a run's meta records them; empty if they are not known."""

    def __repr__(self) -> str:
        """The number of answers and runs, and how many answers have each status."""
        counts = Counter(one.status for one in self.scores)
        told = ", ".join(f"{counts[status]} {status}" for status in STATUSES if counts[status])
        return f"<Scores: {len(self.scores)} answers of {len(self.runs)} runs{told and f'; {told}'}>"

    def to_frame(self) -> pd.DataFrame:
        """One row an answer: ids, question fields, gold, text, parsed answer, and three verdicts.

        `strict` is missing (NA) if no prompt is known to have asked for the form that it judges.
        """
        answers = to_frame(self.generations, ANSWER)
        verdicts = to_frame(self.scores, VERDICTS)
        if not self.form_asked:
            verdicts["strict"] = pd.array([pd.NA] * len(verdicts), dtype="boolean")
        asked = self.benchmark.to_frame().rename(columns={"answer": "gold"}).set_index("instance_id")
        asked = asked[
            [
                "subject_id",
                "template_id",
                "operation",
                "representation",
                "variant",
                "question",
                "gold",
                "unit",
            ]
        ]
        return pd.concat([answers, verdicts], axis="columns").join(asked, on="instance_id")

    def accuracy(self) -> pd.DataFrame:
        """Accuracy by run, operation and representation (`all` for totals), as shares from 0 to 1.

        Variants and items that do not discriminate are left out. `low` and `high` are the 95 % interval,
        `undefined` says why there is none. `strict_accuracy` is missing (NaN) if no prompt is known to have
        asked for the form that it judges.
        """
        parts = [_accuracy(self.of_run(run)).assign(run_id=run) for run in self.runs]
        frame = pd.concat(parts, ignore_index=True)
        return frame[["run_id", *(name for name in frame.columns if name != "run_id")]]

    @property
    def form_asked(self) -> bool:
        """Whether prompts are known to have asked for the form that `strict` judges."""
        asked = (self.benchmark.instances[one.instance_id] for one in self.generations)
        return asks_strict_form({"client": "import", **self.prompts}, asked)

    @property
    def runs(self) -> list[str]:
        """The ids of the runs to which the answers belong, in order."""
        return list(dict.fromkeys(one.run_id for one in self.generations))

    def of_run(self, run_id: str) -> "Scores":
        """The answers of one run."""
        kept = [pair for pair in zip(self.generations, self.scores, strict=True) if pair[0].run_id == run_id]
        return Scores(self.benchmark, tuple(g for g, _ in kept), tuple(s for _, s in kept), self.prompts)

    def save(self, folder: str | Path) -> None:
        """Write `benchmark.jsonl`, and for each run its generations and scores, as the commands take them.

        The files of a run are `RUN.generations.jsonl` and `RUN.scores.jsonl`. Raises InputError if the folder
        does not exist.
        """
        home = Path(folder)
        self.benchmark.save(home / "benchmark.jsonl")
        made_from = {"benchmark_sha256": sha256_file(home / "benchmark.jsonl")}
        for run in self.runs:
            part, answers = self.of_run(run), home / f"{run}.generations.jsonl"
            about = made_from | {"client": "import", "run_id": run} | dict(self.prompts)
            write_jsonl(answers, part.generations, about)
            hashes = made_from | {"generations_sha256": sha256_file(answers)}
            write_jsonl(home / f"{run}.scores.jsonl", part.scores, hashes)


def score(
    benchmark: Benchmark, answers: pd.DataFrame | Sequence[Generation], *, own_prompts: bool = False
) -> Scores:
    """Judge the answers to a benchmark.

    `answers` is a frame with the columns `instance_id` and `text`, and if known `finish_reason` (stop, length
    or error), `run_id`, `generation_id`, `answer_confidence` (0 to 1), `thinking` and `error`; or a list of
    `Generation`. `own_prompts`: whether the model was sent `benchmark.prompts()` word for word; otherwise it
    is not known what form was asked for, and `strict` is missing. Raises InputError for an instance that the
    benchmark lacks, or that a run answers twice.

    Example:
        >>> import clinicnum, pandas as pd
        >>> benchmark = clinicnum.generate(quota="aggregation=2", representation="structured")
        >>> answers = benchmark.to_frame()[["instance_id"]]
        >>> answers["text"] = "The answer is " + benchmark.to_frame()["answer"]
        >>> clinicnum.score(benchmark, answers).to_frame()["lenient"].tolist()
        [True, True]
    """
    given = _generations(answers) if isinstance(answers, pd.DataFrame) else tuple(answers)
    _check_answers(benchmark, given)
    for instance in benchmark:
        check_scorable(instance)
    judged = (judge(instance=benchmark.instances[one.instance_id], generation=one) for one in given)
    return Scores(benchmark, given, tuple(judged), named_prompts(benchmark) if own_prompts else {})


def load_scores(benchmark: Benchmark | str | Path, generations: str | Path, scores: str | Path) -> Scores:
    """The scores that `clinicnum score` wrote, with their benchmark and generations.

    Raises InputError for an unreadable file, or for files that do not belong together.

    Example:
        >>> import clinicnum, pandas as pd
        >>> benchmark = clinicnum.generate(quota="retrieval=1", representation="note")
        >>> answers = pd.DataFrame({"instance_id": list(benchmark.instances), "text": [""], "run_id": "m1"})
        >>> clinicnum.score(benchmark, answers).save(".")
        >>> loaded = clinicnum.load_scores("benchmark.jsonl", "m1.generations.jsonl", "m1.scores.jsonl")
        >>> loaded.scores[0].status
        'empty'
    """
    asked = benchmark if isinstance(benchmark, Benchmark) else load_benchmark(benchmark)
    about, _ = (checked_meta(path) for path in (Path(generations), Path(scores)))
    answers = tuple(read_jsonl(Path(generations), Generation))
    join(str(scores), asked.instances, answers, read_jsonl(Path(scores), Score))
    by_id = {one.generation_id: one for one in read_jsonl(Path(scores), Score)}
    prompts = {name: about[name] for name in PROMPTS if name in about}
    return Scores(asked, answers, tuple(by_id[one.generation_id] for one in answers), prompts)


def suggest(scores: Scores) -> pd.DataFrame:
    """Likely causes of each failure, with their evidence.

    One row a suggestion: `generation_id, rank` (1 is the likeliest), `code` of the taxonomy, `rule`,
    `sentence`, `spans` (start and end in the text), `cells` (record and vital sign). Causes that chance alone
    would match in over a tenth of answers are not given.

    Example:
        >>> import clinicnum, pandas as pd
        >>> benchmark = clinicnum.generate(quota="retrieval=1", representation="note")
        >>> answers = pd.DataFrame({"instance_id": list(benchmark.instances), "text": [""]})
        >>> clinicnum.suggest(clinicnum.score(benchmark, answers))["code"].tolist()
        ['unanswered.empty']
    """
    instances = scores.benchmark.instances
    failures = [
        (instances[generation.instance_id], generation, verdict)
        for generation, verdict in zip(scores.generations, scores.scores, strict=True)
        if verdict.status != "error" and not verdict.lenient
    ]
    return to_frame(suggest_all(failures, rates=rates_for(list(instances.values()))), SUGGESTION)


def measure_robustness(scores: Scores, *, seed: int = 0) -> dict[str, Any]:
    """What variants, prompts and representations do to each run, and how well its confidence is calibrated.

    The shape is that of `clinicnum robustness --json`; every rate has its n and interval, or the reason why
    it has no value. `seed` is that of bootstraps.

    Example:
        >>> import clinicnum, pandas as pd
        >>> benchmark = clinicnum.generate(quota="retrieval=2", representation="note", variants="input.typo")
        >>> answers = benchmark.to_frame()[["instance_id", "answer"]].rename(columns={"answer": "text"})
        >>> sorted(clinicnum.measure_robustness(clinicnum.score(benchmark, answers)))
        ['comparisons', 'models']
    """
    parts = [scores.of_run(run) for run in scores.runs]
    runs = [
        join(run, part.benchmark.instances, part.generations, part.scores)
        for run, part in zip(scores.runs, parts, strict=True)
    ]
    return asdict(compute_robustness(runs, seed=seed))


def _accuracy(scores: Scores) -> pd.DataFrame:
    instances = scores.benchmark.instances
    pairs = zip(scores.generations, scores.scores, strict=True)
    return accuracy_frame(
        accuracy_table(
            ((instances[generation.instance_id], one) for generation, one in pairs),
            form_asked=scores.form_asked,
        )
    )


def _generations(answers: pd.DataFrame) -> tuple[Generation, ...]:
    """The rows of a frame as generations; a missing text is a sample that failed."""
    check_columns(answers, ("instance_id", "text"), "answers")
    known = [name for name in OPTIONAL if name in answers.columns]
    rows = answers[["instance_id", "text", *known]].astype(object)
    return tuple(_generation(row) for row in rows.where(rows.notna(), None).to_dict("records"))


def _generation(row: dict[Any, Any]) -> Generation:
    given = {key: value for key, value in row.items() if value is not None}
    run = str(given.setdefault("run_id", "run"))
    given.setdefault("generation_id", text_id(run, str(given["instance_id"])))
    given.setdefault("finish_reason", "stop" if "text" in given else "error")
    return Generation(**{"text": "", **given})


def _check_answers(benchmark: Benchmark, answers: Sequence[Generation]) -> None:
    unknown = [one.instance_id for one in answers if one.instance_id not in benchmark.instances]
    twice = [key for key, n in Counter((one.run_id, one.instance_id) for one in answers).items() if n > 1]
    if unknown:
        raise InputError(
            f"answers: {len(unknown)} are to instances that the benchmark lacks, such as {unknown[0]}; "
            "expected answers to this benchmark: load the one that was asked"
        )
    if twice:
        run, instance = twice[0]
        raise InputError(
            f"answers: run {run} answers {len(twice)} instances more than once, such as {instance}; "
            "expected one answer each: give further samples a run_id of their own"
        )
