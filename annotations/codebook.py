"""Everything that an annotator may choose, as entries to look up: options, codes and severities."""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from clinicnum.annotations.judgement import FIELDS, fields_in_page_order
from clinicnum.annotations.judgement_field_definition import FieldDefinition
from clinicnum.annotations.taxonomy import Code, SeverityLevel, Taxonomy, TaxonomyClass
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen

LABELS = "labels"


class CodebookEntry(Frozen):
    """One thing that may be chosen, with the rules for choosing it."""

    id: str
    """A code, or `field:value` for an option of another field."""
    field: str
    """The field of the judgement to which it belongs."""
    name: Translatable
    plain: str = ""
    definition: str
    include: str = ""
    exclude: str = ""
    examples: tuple[str, ...]
    steps: tuple[str, ...] = ()
    """The steps of an answer at which such an error is made."""
    near: tuple[str, ...] = ()
    """Ids of entries easily confused with it: in `exclude` first, then its siblings."""

    @property
    def is_sub_class(self) -> bool:
        """Whether it is a code within a class."""
        return self.field == LABELS and "." in self.id


def codebook(
    taxonomy: Taxonomy, more: Mapping[str, FieldDefinition] = MappingProxyType({})
) -> tuple[CodebookEntry, ...]:
    """The entries in the order in which pages ask, a class before its sub-classes.

    `more` are the study's own fields by the names that they have on pages.
    """
    found: list[CodebookEntry] = []
    for name, about in (*fields_in_page_order(), *more.items()):
        if name == LABELS:
            found += _codes(taxonomy)
        elif about.levels:
            found += _severities(name, taxonomy)
        else:
            found += _options(name, about)
    return tuple(found)


def option_id(field: str, value: object) -> str:
    """The id of an option's codebook entry: `FIELD:VALUE`."""
    return f"{field}:{value}"


def codes_by_step(taxonomy: Taxonomy) -> Mapping[str, tuple[str, ...]]:
    """Step of an answer -> the codes whose errors are made there; a class replaces its sub-classes if all of
    them belong there.
    """
    found: dict[str, list[str]] = {step.name: [] for step in taxonomy.order}
    for group in taxonomy.classes:
        steps = _steps_of(group, taxonomy)
        if len(steps) == 1 and all(sub.step for sub in group.sub_classes):
            found[steps[0]].append(group.code)
            continue
        for sub in group.sub_classes:
            if sub.step is not None:
                found[sub.step].append(f"{group.code}.{sub.code}")
    return {step: tuple(codes) for step, codes in found.items()}


def _steps_of(group: TaxonomyClass, taxonomy: Taxonomy) -> tuple[str, ...]:
    """The steps of a class and of its sub-classes, in the taxonomy's order."""
    own = {one.step for one in (group, *group.sub_classes)}
    return tuple(step.name for step in taxonomy.order if step.name in own)


def _codes(taxonomy: Taxonomy) -> Iterator[CodebookEntry]:
    names = _names(taxonomy)
    # Of names within each other only the longest.
    longest_first = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    named = re.compile(rf"\b(?:{longest_first})\b")

    def named_in(text: str) -> tuple[str, ...]:
        return tuple(names[one] for one in named.findall(text.lower()))

    for group in taxonomy.classes:
        subs = tuple(f"{group.code}.{sub.code}" for sub in group.sub_classes)
        yield _code(group, group.code, _steps_of(group, taxonomy), (*named_in(group.exclude), *subs))
        for sub, code in zip(group.sub_classes, subs, strict=True):
            steps = () if sub.step is None else (sub.step,)
            yield _code(sub, code, steps, (*named_in(sub.exclude), *subs, group.code))


def _code(code: Code, whole: str, steps: tuple[str, ...], near: tuple[str, ...]) -> CodebookEntry:
    return CodebookEntry(
        id=whole,
        field=LABELS,
        name=Translatable(code.name),
        plain=code.plain,
        definition=code.definition,
        include=code.include,
        exclude=code.exclude,
        examples=code.examples,
        steps=steps,
        near=tuple(one for one in dict.fromkeys(near) if one != whole),
    )


def _severities(field: str, taxonomy: Taxonomy) -> Iterator[CodebookEntry]:
    degrees = [option_id(field, one.level) for one in taxonomy.severities if one.level.isdigit()]
    for at, one in enumerate(taxonomy.severities):
        place = option_id(field, one.level)
        beside = degrees[max(0, at - 1) : at + 2] if place in degrees else []
        yield CodebookEntry(
            id=place,
            field=field,
            name=_severity_name(one),
            plain=one.plain,
            definition=one.definition,
            examples=one.examples,
            near=tuple(each for each in beside if each != place),
        )


def _severity_name(one: SeverityLevel) -> Translatable:
    if not one.level.isdigit():
        return Translatable(one.name)
    return Translatable("{level}: {name}", level=one.level, name=Translatable(one.name))


def _options(field: str, about: FieldDefinition) -> Iterator[CodebookEntry]:
    ids = {
        option.value: option_id(field, option.value) for option in about.options if option.rules is not None
    }
    for option in about.options:
        if option.rules is not None:
            yield CodebookEntry(
                id=ids[option.value],
                field=field,
                name=Translatable(option.label),
                **option.rules._asdict(),
                near=tuple(one for value, one in ids.items() if value != option.value),
            )


def heading_of(entry: CodebookEntry, more: Mapping[str, FieldDefinition] = MappingProxyType({})) -> str:
    """The heading above an entry: that of its field."""
    return (FIELDS.get(entry.field) or more[entry.field]).label


def _names(taxonomy: Taxonomy) -> dict[str, str]:
    """Lower-case name of each code, as rules use it in a sentence -> the code."""
    found: dict[str, str] = {}
    for code in taxonomy.codes():
        entry = taxonomy.find(code)
        for name in (entry.name.lower(), entry.code.replace("_", " ")):
            found.setdefault(name, code)
    return found
