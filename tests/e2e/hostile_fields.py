"""Fields that hostile texts are dealt into: which must be seen on a page, and which stand elsewhere."""

READ_BY_ALL = {
    *("model text", "rationale", "question", "context", "option", "unit", "gold", "working", "parsed"),
    *("score reason", "suggestion", "guideline", "study name", "name of a code", "definition of a code"),
    *(
        "name of a severity",
        "example of a severity",
        "rationale of a draft",
        "proposed gold of a draft",
        "flag",
        "flag answered",
        "answer",
        "reply",
    ),
    *("wording", "source", "comment of an expert", "answer to an expert", "asked: q", "thinking"),
}
"""Fields that an annotator's pages show: the walk must have had them in sight, or it proves nothing."""
ON_NO_PAGE = {
    "author": "in a release's files",
    "benchmark note": "kept with the benchmark",
    "distractor": "kept with the instance; an expert sees those of a template's own trials",
    "draft: field": "no field of a template: the page's YAML has it, its form does not",
    "draft: key": "no key of a solution: the same",
    "draft: leaf": "no leaf of a solution: the same",
    "exact gold": "in exports; the page shows the gold as asked for",
    "form of an answer": "in exports",
    "generation id": "a file may write a model's name into it: in exports",
    "group id": "in exports",
    "hint of a step": "in a guideline made from the taxonomy",
    "licence": "in a release's files",
    "notes of a release": "in a release's changelog",
    "reason of a retirement": "in the audit log",
    "rule": "in exports; the page shows a suggestion's sentence",
    "rule of a distractor": "as the distractor",
    "source of a record": "in the benchmark's files",
    "stay id": "in the benchmark's files",
    "subject id": "in exports",
    "subtype": "in exports",
    "tag of a benchmark": "in exports; the bank shows a template's own",
    "taxonomy id": "in reports and exports",
    "taxonomy version": "in reports and exports",
}
"""Fields that no page shows, and where they stand instead. Whatever else is dealt must be seen on a page."""
NOT_WHOLE = ("asked: ", "typed: ")
"""What is asked and typed is held by nothing: a few payloads of it in each round."""
