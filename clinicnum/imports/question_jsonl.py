"""Import multiple choice and free text items from JSONL, one item a line, in the two forms described here.

Both take `question`, and optionally `id` (else a hash of the content), `context`, `subject_id` (the patient;
else the context, or the item itself, stands for one), `tags`, `source` (an object of strings for whatever
else is to be kept) and what kind of item it is, by which tables are made: `task`, `category`, `condition`,
`turn`, `language`, `difficulty`, `specialty`, and `dimensions`, an object of strings for any other such name.
An unknown key is an error, so that a misspelt one is not lost unseen.

Choice: `options`, a list of texts or an object of them by letter (A, B, ...), and `answer`: a letter, or the
whole text of one option. Text: `points`, the answer points as texts or as objects with `id`, `text` and
optionally `value`; and optionally `answer`, a reference for people to read.
"""

from collections.abc import Iterator
from pathlib import Path

from pydantic import ConfigDict, Field, field_validator

from clinicnum.imports.external_instance import checked_id, checked_text, external_instance
from clinicnum.imports.parse_model import parse_model
from clinicnum.imports.read_rows import Line, checked_rows, json_lines
from clinicnum.imports.row_errors import Row, RowError, UniqueKeys, shortened, wrong_value
from clinicnum.io.jsonl import text_id
from clinicnum.io.text_lines import Progress
from clinicnum.item_dimensions import FIELDS
from clinicnum.prompt import option_letter
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen, Instance, Point

MOST_OPTIONS = 26


class _Item(Frozen):
    """The fields that choice items and text items share."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    id: str | int | None = None
    context: str = ""
    question: str
    subject_id: str | int | None = None
    task: str | None = None
    category: str | None = None
    condition: str | None = None
    turn: str | int | None = None
    language: str | None = None
    difficulty: str | int | None = None
    specialty: str | None = None
    dimensions: dict[str, str] = Field(default_factory=dict)
    tags: tuple[str, ...] = ()
    source: dict[str, str] = Field(default_factory=dict)

    def all_dimensions(self) -> dict[str, str]:
        """The item's dimensions by name, both those with a key of their own and those in `dimensions`."""
        own = {name: getattr(self, name) for name in FIELDS}
        return {name: str(value) for name, value in own.items() if value is not None} | self.dimensions


class Choice(_Item):
    """A multiple choice item."""

    options: list[str] | dict[str, str]
    answer: str

    @field_validator("options", mode="before")
    @classmethod
    def _texts(cls, given: object) -> object:
        texts = list(given.values()) if isinstance(given, dict) else given
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise ValueError(
                Translatable(
                    "options is {got}; expected texts, in a list or by letter; correct it",
                    got=shortened(given),
                )
            )
        return given


class Text(_Item):
    """A free text item with answer points."""

    points: tuple[Point | str, ...]
    answer: str | None = None

    @field_validator("points", mode="before")
    @classmethod
    def _listed(cls, given: object) -> object:
        if not isinstance(given, list) or not all(isinstance(point, str | dict) for point in given):
            raise ValueError(
                Translatable(
                    "points is {got}; expected a list of texts or points; correct it", got=shortened(given)
                )
            )
        return tuple(point if isinstance(point, str) else Point.model_validate(point) for point in given)


def choices(path: Path, *, benchmark_id: str, prompt_id: str, progress: Progress) -> Iterator[Instance]:
    """Yield multiple choice items. Raises InputError naming every faulty line."""
    ids = UniqueKeys("id")

    def make(line: Line) -> Instance:
        item = parse_model(line.text, Choice)
        return choice_instance(item, line, ids, benchmark_id=benchmark_id, prompt_id=prompt_id)

    return checked_rows(json_lines(path, progress), make)


def choice_instance(
    item: Choice, row: Row, ids: UniqueKeys, *, benchmark_id: str, prompt_id: str
) -> Instance:
    """The instance of a multiple choice item. Raises RowError for one that cannot be used."""
    options = _options(item)
    instance_id = item_id(item.id, item.context, item.question, *options)
    ids.check(instance_id, row)
    return external_instance(
        benchmark_id=benchmark_id,
        instance_id=instance_id,
        template_id=item_template("choice", item.category),
        subtype="choice",
        prompt_id=prompt_id,
        subject_id=item_subject(item.subject_id, item.context, instance_id),
        context=item.context,
        question=checked_text("question", item.question),
        answer=_letter(item.answer, options),
        answer_type="choice",
        scoring="choice",
        options=options,
        tags=item.tags,
        dimensions=item.all_dimensions(),
        source=item.source,
    )


def texts(path: Path, *, benchmark_id: str, prompt_id: str, progress: Progress) -> Iterator[Instance]:
    """Yield free text items with answer points. Raises InputError naming every faulty line."""
    ids = UniqueKeys("id")

    def make(line: Line) -> Instance:
        item = parse_model(line.text, Text)
        return text_instance(item, line, ids, benchmark_id=benchmark_id, prompt_id=prompt_id)

    return checked_rows(json_lines(path, progress), make)


def text_instance(item: Text, row: Row, ids: UniqueKeys, *, benchmark_id: str, prompt_id: str) -> Instance:
    """The instance of a free text item. Raises RowError for one that cannot be used."""
    points = _points(item)
    instance_id = item_id(item.id, item.context, item.question, *(point.text for point in points))
    ids.check(instance_id, row)
    return external_instance(
        benchmark_id=benchmark_id,
        instance_id=instance_id,
        template_id=item_template("text", item.category),
        subtype="text",
        prompt_id=prompt_id,
        subject_id=item_subject(item.subject_id, item.context, instance_id),
        context=item.context,
        question=checked_text("question", item.question),
        answer=item.answer if item.answer is not None else "\n".join(point.text for point in points),
        answer_type="points",
        scoring="points",
        points=points,
        worked=[point.text for point in points],
        tags=item.tags,
        dimensions=item.all_dimensions(),
        source=item.source,
    )


def item_id(own: str | int | None, *content: str) -> str:
    """The item's own id, or a hash of its content. Raises RowError for an own id that is not usable."""
    return text_id(*content) if own is None else checked_id("id", str(own))


def item_template(kind: str, category: str | None) -> str:
    """The template id under which items of one kind and category are counted together.

    Raises RowError for a category that cannot be part of an id.
    """
    return kind if category is None else f"{kind}.{checked_id('category', category)}"


def item_subject(own: str | int | None, context: str, instance_id: str) -> str:
    """The patient's id: the item's own `subject_id`, else a hash of the context, else the item's id.

    Raises RowError for a `subject_id` that cannot be used as an id.
    """
    if own is not None:
        return checked_id("subject_id", str(own))
    return text_id(context) if context.strip() else instance_id


def _options(item: Choice) -> tuple[str, ...]:
    if isinstance(item.options, dict):
        letters = [option_letter(place) for place in range(min(len(item.options), MOST_OPTIONS))]
        if sorted(item.options) != letters:
            raise wrong_value(
                "options", list(item.options), Translatable("the letters A, B, ... without a gap")
            )
        options = tuple(item.options[letter] for letter in letters)
    else:
        options = tuple(item.options)
    if not 2 <= len(options) <= MOST_OPTIONS:
        raise RowError(
            Translatable(
                "options are {n}; expected 2 to {most}; correct the row", n=len(options), most=MOST_OPTIONS
            )
        )
    if len(set(options)) < len(options):
        raise RowError(Translatable("two options are the same; expected different ones; correct the row"))
    for place, option in enumerate(options):
        checked_text(Translatable("option {letter}", letter=option_letter(place)), option)
    return options


def _letter(answer: str, options: tuple[str, ...]) -> str:
    """The letter of the correct option, given as a letter or as its whole text."""
    letters = [option_letter(place) for place in range(len(options))]
    by_text = [letter for letter, option in zip(letters, options, strict=True) if option == answer]
    named = [answer] if answer in letters else []
    found = {*named, *by_text}
    if len(found) == 1:
        return found.pop()
    if found:
        raise RowError(
            Translatable(
                "answer {answer} is a letter and also the text of option {letter}; expected one meaning; "
                "name the options differently",
                answer=shortened(answer),
                letter=by_text[0],
            )
        )
    raise wrong_value(
        "answer",
        answer,
        Translatable("a letter from A to {last}, or the whole text of one option", last=letters[-1]),
    )


def _points(item: Text) -> tuple[Point, ...]:
    points = tuple(
        point if isinstance(point, Point) else Point(id=str(number), text=point)
        for number, point in enumerate(item.points, start=1)
    )
    if not points:
        raise RowError(
            Translatable("points is empty; expected at least one answer point; add what an answer must say")
        )
    names = [checked_id(Translatable("a point's id"), point.id) for point in points]
    if len(set(names)) < len(names):
        raise RowError(Translatable("two points have the same id; expected different ones; correct the row"))
    for point in points:
        checked_text(Translatable("point {id}", id=point.id), point.text)
    return points
