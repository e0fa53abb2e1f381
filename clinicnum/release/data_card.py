"""The data card and the citation file of a release."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from clinicnum.release.manifest import Evidence
from clinicnum.templates.template import Template
from clinicnum.types import OPERATIONS

PURPOSE = (
    "Question templates about vital signs, to find out where and why language models get clinical numbers "
    "wrong. A benchmark is made from them with `clinicnum generate --bank FOLDER`; every gold is computed "
    "from a template's operation tree and the records. They test models. They are no clinical advice and no "
    "decision rule."
)
LIMITS = (
    "Vital signs and a few given facts only: no laboratory course, image or free history.",
    "English wordings.",
    "A threshold is the one that the template's source states; practice and other sources differ.",
    "Templates tagged `mechanical` have no clinical meaning: accuracy on them says nothing of care.",
    "Validated means that experts found a question clear, relevant and answerable and worked its gold; it "
    "does not mean that a model which answers it is safe to use.",
)

_MARKUP = {"<": "&lt;", "![": "!&#91;", "](": "]&#40;", "][": "]&#91;"}


def in_markdown(text: str) -> str:
    """Free text as one line of Markdown, escaped so that it starts no element, link or image."""
    begun = re.compile(r"<(?=[A-Za-z/!?])|!\[|\][(\[]")
    return begun.sub(lambda found: _MARKUP[found[0]], " ".join(text.split()))


def datacard(
    templates: Sequence[Template], evidence: Mapping[str, Evidence], *, name: str, licence: str
) -> str:
    """The data card in Markdown. `evidence` is by template id."""
    return "\n".join(_card(templates, evidence, name, licence)) + "\n"


def _card(
    templates: Sequence[Template], evidence: Mapping[str, Evidence], name: str, licence: str
) -> Iterator[str]:
    yield f"# Bank release {name}\n"
    yield f"{PURPOSE}\n"
    yield "## What it holds\n"
    yield "| operation | templates | validated | unreviewed | mechanical |"
    yield "|---|---:|---:|---:|---:|"
    for operation in OPERATIONS:
        mine = [one for one in templates if one.operation == operation]
        if mine:
            yield _row(operation, mine)
    yield f"{_row('all', templates)}\n"
    yield "## Where definitions and thresholds come from\n"
    for source, count in sorted(Counter(one.source for one in templates).items()):
        yield f"- {in_markdown(source)} ({count})"
    yield "\n## How it was validated\n"
    yield from _validation(templates, evidence)
    yield "\n## Known limits\n"
    yield from (f"- {limit}" for limit in LIMITS)
    yield f"\n## Licence\n\n{in_markdown(licence)}"


def _row(operation: str, mine: Sequence[Template]) -> str:
    statuses = Counter(one.status for one in mine)
    mechanical = sum("mechanical" in one.tags for one in mine)
    counts = (len(mine), statuses["validated"], statuses["unreviewed"], mechanical)
    return f"| {operation} | " + " | ".join(map(str, counts)) + " |"


def _validation(templates: Sequence[Template], evidence: Mapping[str, Evidence]) -> Iterator[str]:
    unreviewed = [one.id for one in templates if one.status == "unreviewed"]
    if evidence:
        rounds = list(evidence.values())
        fewest, most = min(one.experts for one in rounds), max(one.experts for one in rounds)
        experts = str(fewest) if fewest == most else f"{fewest} to {most}"
        yield (
            f"{len(evidence)} of {len(templates)} templates were accepted in a round of review: {experts} "
            "experts, blind to each other, rated clarity, clinical relevance and answerability from 1 to 4, "
            f"and worked instances without seeing the gold; {sum(one.worked_matched for one in rounds)} of "
            f"{sum(one.worked for one in rounds)} worked answers are the gold. `validation.json` has the "
            "content validity indices of each template and scale."
        )
    if unreviewed:
        yield (
            f"{len(unreviewed)} of {len(templates)} templates are **unreviewed**: their golds are computed "
            f"and checked, but no expert has rated them: {', '.join(unreviewed)}."
        )


def citation(*, name: str, date: str | None, licence: str, authors: Sequence[str], count: int) -> str:
    """`CITATION.cff` in Citation File Format 1.2.0, which requires authors, cff-version, message and title.

    Source: schema guide of citation-file-format/citation-file-format, release 1.2.0.
    """
    named = [*authors] or [f"The curators of {name}"]
    lines = [
        "cff-version: 1.2.0",
        f"title: {json.dumps(f'{name}: {count} question templates on vital signs', ensure_ascii=False)}",
        'message: "If you use this bank of templates, please cite it as below."',
        "type: dataset",
        "authors:",
        *(f"  - name: {json.dumps(one, ensure_ascii=False)}" for one in named),
        f"license: {json.dumps(licence)}",
        f"version: {json.dumps(name)}",
        *([f"date-released: {json.dumps(date)}"] if date else []),
    ]
    return "\n".join(lines) + "\n"
