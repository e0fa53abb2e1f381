"""Import the conversations of HealthBench: JSONL in the form that its authors publish.

HealthBench (Arora et al. 2025, arXiv:2505.08775): a line has `prompt_id`, `prompt` (the messages), `rubrics`
(each with `criterion`, `points` and `tags`), and often `example_tags` (`theme:...`) and
`ideal_completions_data`. The last message is the question, those before it the context. Criteria with points
above 0 are the answer points; the scorer's rule for them is no grader, so judge answers by the same file as
criteria of a study (`--criteria`). Tags of the form `name:value` are dimensions, and so are the turns.
"""

from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from clinicnum.imports.external_instance import checked_id, checked_text, external_instance
from clinicnum.imports.parse_model import parse_model
from clinicnum.imports.read_rows import Line, checked_rows, json_lines
from clinicnum.imports.row_errors import RowError, UniqueKeys
from clinicnum.io.text_lines import Progress
from clinicnum.translatable_text import Translatable
from clinicnum.types import Instance, Point


class _Lenient(BaseModel):
    model_config = ConfigDict(extra="ignore")


class Rubric(_Lenient):
    """One criterion of an item, with its points; below 0 for a fault."""

    criterion: str
    points: float
    tags: tuple[str, ...] = ()


class Rubrics(_Lenient):
    """The criteria of an item."""

    prompt_id: str = Field(min_length=1)
    rubrics: tuple[Rubric, ...] = Field(min_length=1)


class _Message(_Lenient):
    role: str
    content: str


class _Ideal(_Lenient):
    ideal_completion: str | None = None


class Conversation(Rubrics):
    """A conversation that a model is to go on with, and its criteria."""

    prompt: tuple[_Message, ...] = Field(min_length=1)
    example_tags: tuple[str, ...] = ()
    ideal_completions_data: _Ideal | None = None


def conversations(path: Path, *, benchmark_id: str, prompt_id: str, progress: Progress) -> Iterator[Instance]:
    """Yield an instance per line. Raises InputError naming every faulty line."""
    ids = UniqueKeys("prompt_id")

    def make(line: Line) -> Instance:
        item = parse_model(line.text, Conversation)
        ids.check(item.prompt_id, line)
        return _instance(item, benchmark_id=benchmark_id, prompt_id=prompt_id)

    return checked_rows(json_lines(path, progress), make)


def _instance(item: Conversation, *, benchmark_id: str, prompt_id: str) -> Instance:
    *before, last = item.prompt
    if last.role != "user":
        raise RowError(
            Translatable(
                "the last message of prompt is of {role!r}; expected 'user'; correct the line", role=last.role
            )
        )
    points = tuple(
        Point(id=str(place), text=one.criterion)
        for place, one in enumerate(item.rubrics, start=1)
        if one.points > 0
    )
    if not points:
        raise RowError(Translatable("no rubric has points above 0; expected at least one; correct the line"))
    ideal = item.ideal_completions_data and item.ideal_completions_data.ideal_completion
    tags = (tag.partition(":") for tag in item.example_tags)
    return external_instance(
        benchmark_id=benchmark_id,
        instance_id=checked_id("prompt_id", item.prompt_id),
        template_id="healthbench",
        subtype="text",
        prompt_id=prompt_id,
        subject_id=item.prompt_id,
        context="\n\n".join(f"{one.role.capitalize()}: {one.content}" for one in before),
        question=checked_text(Translatable("the last message"), last.content),
        answer=ideal or "\n".join(point.text for point in points),
        answer_type="points",
        scoring="points",
        points=points,
        worked=[point.text for point in points],
        dimensions={
            "turn": str(sum(one.role == "user" for one in item.prompt)),
            **{name: value for name, colon, value in tags if colon},
        },
        source={},
    )
