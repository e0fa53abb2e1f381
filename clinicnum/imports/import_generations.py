"""Import generations that another program made as a run: table of formats, ids, and meta data."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from clinicnum import __version__
from clinicnum.errors import InputError
from clinicnum.imports import generations_csv, generations_jsonl, inspect_ai_log, lm_eval, medcalc, robbench
from clinicnum.imports.answer_record import ImportedAnswer
from clinicnum.imports.read_rows import check_is_file, checked_rows
from clinicnum.imports.row_errors import UniqueKeys, unknown_format
from clinicnum.inference.runner import generation_id, named_prompts
from clinicnum.io.jsonl import content_id, sha256_file
from clinicnum.io.text_lines import Progress
from clinicnum.parsing.thinking import split_thinking, with_tags
from clinicnum.translatable_text import Translatable
from clinicnum.types import Generation, Instance, Score

Reader = Callable[..., Iterator[ImportedAnswer]]


class AnswerFormat(NamedTuple):
    """One file format of generations."""

    read: Reader
    takes: tuple[str, ...] = ()
    """Those of the options `id_field`, `text_field` and `epoch` that the format uses."""
    keeps_results: bool = False
    """Whether the format stores a verdict with each answer."""
    needs_benchmark: bool = False
    """Whether its rows can be read only beside the questions that they answer."""


ANSWER_FORMATS: dict[str, AnswerFormat] = {
    "clinicnumrobbench": AnswerFormat(robbench.answers),
    "lm-eval": AnswerFormat(lm_eval.answers, ("id_field", "epoch")),
    "inspect": AnswerFormat(inspect_ai_log.answers, ("id_field", "epoch")),
    "jsonl": AnswerFormat(generations_jsonl.answers, ("id_field", "text_field")),
    "csv": AnswerFormat(generations_csv.answers, ("id_field", "text_field")),
    "medcalc": AnswerFormat(medcalc.answers, keeps_results=True, needs_benchmark=True),
}
"""Name of a format -> how it is read. A new one is a file and a line here."""

DEFAULTS: dict[str, str | int | None] = {"id_field": None, "text_field": "text", "epoch": None}


class Answers:
    """The generations of one file, as an iterator to be consumed once; the meta is complete after the
    last.
    """

    def __init__(
        self,
        path: Path,
        name: str,
        *,
        known: Mapping[str, Instance],
        benchmark_sha256: str,
        model_name: str,
        options: Mapping[str, str | int | None],
        thinking_tags: Sequence[str] = (),
        own_prompts: bool = False,
        file_name: str | None = None,
    ) -> None:
        """`known` maps ids to instances; `options` are the format's, None where not given; `thinking_tags`
        are pairs "OPEN CLOSE" of tags around thinking, besides the known ones; `own_prompts` says that the
        model was sent the prompts that the instances name, as `clinicnum run` sends them; `file_name`
        replaces the path's name in the meta.

        Raises InputError for an unknown format, an option that it has no use for, an unusable model name, or
        a file that cannot be read.
        """
        if name not in ANSWER_FORMATS:
            raise unknown_format(name, ANSWER_FORMATS)
        given = {option: value for option, value in options.items() if value is not None}
        useless = [option for option in given if option not in ANSWER_FORMATS[name].takes]
        if useless:
            raise InputError(
                Translatable("the format {format} has no use for an option given; leave it out", format=name),
                on_command_line=f"--{useless[0].replace('_', '-')}",
            )
        if not model_name.strip() or not model_name.isprintable():
            raise InputError(
                Translatable(
                    "the model is called {name!r}; expected the model's name, such as gpt-4o-mini",
                    name=model_name,
                ),
                on_command_line="--model-name",
            )
        check_is_file(path, Translatable("a file"))
        taken = {option: DEFAULTS[option] for option in ANSWER_FORMATS[name].takes}
        self._options: dict[str, Any] = taken | given
        self._tags = with_tags(thinking_tags)
        self._path, self._name, self._known = path, name, known
        self._file_name = file_name or path.name
        self._identity = {
            "client": "import",
            "model": model_name,
            "source_sha256": sha256_file(path),
            "benchmark_sha256": benchmark_sha256,
            "options": self._options,
        } | ({"thinking_tags": list(thinking_tags)} if thinking_tags else {})
        if own_prompts:
            self._identity |= named_prompts(known.values())
        self.run_id = content_id(self._identity)
        self._count = 0

    def read(self, progress: Progress) -> Iterator[tuple[Generation, Score | None]]:
        """Yield each generation with the score that the source stores, if any.

        Raises InputError naming every faulty row, at the latest after the last; and if there is no row.
        """
        once = UniqueKeys(
            Translatable("instance"),
            Translatable("expected one answer to each; remove one"),
            on_command_line="--epoch" if "epoch" in ANSWER_FORMATS[self._name].takes else "",
        )

        def make(answered: ImportedAnswer) -> tuple[Generation, Score | None]:
            once.check(answered.instance_id, answered)
            return self._made(answered)

        read = ANSWER_FORMATS[self._name].read
        found = read(self._path, known=self._known, progress=progress, **self._options)
        for made in checked_rows(found, make):
            self._count += 1
            yield made
        if not self._count:
            raise InputError(
                Translatable("{path}: holds no answer; expected at least one", path=str(self._path))
            )

    def _made(self, answered: ImportedAnswer) -> tuple[Generation, Score | None]:
        text, thinking = answered.text, answered.thinking
        if thinking is None:
            text, thinking = split_thinking(text, tags=self._tags)
        made = Generation(
            generation_id=generation_id(self.run_id, answered.instance_id),
            run_id=self.run_id,
            instance_id=answered.instance_id,
            text=text,
            finish_reason=answered.finish_reason,
            prompt_tokens=answered.prompt_tokens,
            completion_tokens=answered.completion_tokens,
            latency_s=answered.latency_s,
            thinking=thinking,
            error=answered.error,
        )
        return made, _score(made.generation_id, answered)

    def meta(self) -> dict[str, Any]:
        """The meta data of the whole run."""
        return self._identity | {
            "kind": "generations",
            "run_id": self.run_id,
            "clinicnum_version": __version__,
            "source": self._file_name,
            "source_format": self._name,
            "n_generations": self._count,
            "n_without": len(self._known) - self._count,
        }


def _score(generation: str, answered: ImportedAnswer) -> Score | None:
    stored = answered.stored
    if stored is None:
        return None
    return Score(
        generation_id=generation,
        parsed=stored.parsed,
        form=None,
        status="correct" if stored.correct else "incorrect",
        strict=stored.correct,
        lenient=stored.correct,
        reason="as the source judged it",
    )
