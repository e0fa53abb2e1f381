"""The section on provenance: versions, hashes, and all counts."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from clinicnum.annotations.reconstructed_prompt import asked_of
from clinicnum.annotations.report.bank_release_of_benchmark import named_release
from clinicnum.annotations.report.model_run import in_a_sentence, listed
from clinicnum.annotations.report.question_summary import made_elsewhere, templates_word
from clinicnum.annotations.report.report_content import Cell, Column, Section, Table
from clinicnum.annotations.report.sections.consensus_wording import hidden
from clinicnum.annotations.report.sections.judged_answers import draw_said
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.study_kind import KINDS, StudyKind
from clinicnum.prompt import DEFAULT_PROMPT, open_messages, prompt_id_of
from clinicnum.prompt_file import recorded_prompt
from clinicnum.types import Instance

_SESSIONS = (
    " What a session has “written” is what it noted last; one that was cut off may have written more. Its "
    "“cost” is a guess at its work, in prompt tokens, from the lengths of the items and the limit of new "
    "tokens; the time left was told from it."
)

_COUNTED_FROM = (
    "Under each table stands what its figures are counted from, under most the files and columns; "
    "generations and subjects are joined by their ids in scores.csv. "
)
_OTHER_KINDS: Mapping[StudyKind, str] = {
    "pairwise": f"{_COUNTED_FROM}Of comparisons.csv each annotator's last row on a pair counts whose round "
    "is main and answer_read false, unless a note says otherwise.",
    "ratings": f"{_COUNTED_FROM}Of ratings.csv the rows of each annotator's last revision on a generation "
    "count whose round is main and answer_read false, unless a note says otherwise.",
    "claims": f"{_COUNTED_FROM}Of claims.csv the rows of each annotator's last complete revision on an "
    "answer count whose round is main and answer_read false, unless a note says otherwise.",
}

_LABELS: Mapping[StudyKind, str] = {
    "failures": ", annotations.csv, adjudications.csv and invalidations.csv",
    "pairwise": " and comparisons.csv",
    "ratings": " and ratings.csv",
    "claims": " and claims.csv",
}
"""The files of labels that a study of each kind has."""


def provenance_section(view: StudyView) -> Section:
    """The study, its benchmark and its runs as keys and values."""
    return Section(
        id="provenance",
        title="Where this comes from",
        holds_labels=False,
        paragraphs=(
            _OTHER_KINDS[view.tables.kind]
            if view.tables.kind in _OTHER_KINDS
            else "Under each table stands what its figures are counted from, under most the files and "
            f"columns; generations, subjects and {templates_word(view.tables.instances)} "
            "(template_id) are joined by their ids in scores.csv. Of annotations.csv each annotator's last "
            "complete row on a generation counts whose round is main and suggestion_shown and answer_read "
            "false"
            f"{_as_locked(view)}, unless a table says otherwise; contests count from every round.",
            *_elsewhere(view),
            *_prompts_asked(view),
        ),
        tables=(_counts(view), *_templates(view), _metas(view)),
    )


def _as_locked(view: StudyView) -> str:
    """Which rows count where suggestions came into sight after the first; empty if they never did."""
    n = len(view.chosen.locked)
    return (
        f", or where there is none after revision 1 ({n} of {len(view.chosen.annotations)}) that row, with "
        "item_judgement and proposed_gold of the last complete one, if it lacks nothing else"
        if n
        else ""
    )


def _elsewhere(view: StudyView) -> tuple[str, ...]:
    """A sentence on what is unknown about imported answers; an empty tuple without any."""
    runs = [run_id for run_id, meta in view.tables.runs.items() if meta.get("client") == "import"]
    if not runs:
        return ()
    models = ", ".join(sorted({view.model(run_id) or f"run {run_id}" for run_id in runs}))
    return (
        f"The answers of {models} were made elsewhere and imported: the model's name is what was said "
        "at the import, and a text whose source does not say why it ended is taken to be whole and stored "
        "as ended by itself (finish_reason stop); what the source marks, or its import reads, as an error in "
        f"place of an answer is stored as an error.{_values_imported(view)}",
    )


def _values_imported(view: StudyView) -> str:
    """A sentence on runs of which only parsed values were kept, so that nothing is known of their texts;
    empty without any.
    """
    names = [in_a_sentence(run.name) for run in view.runs if run.keeps_readings]
    return (
        f" Of {listed(names)} the file holds no text, but the value that MedCalc-Bench's script read or "
        "calculated out of it, or an error of that script: whether the text was whole is not known."
        if names
        else ""
    )


def _prompts_asked(view: StudyView) -> Iterator[str]:
    """What runs asked of items as they are: the wording of clinicnum's prompts, and the form of answer where
    a prompt of one's own leaves it to clinicnum; nothing where that is not known.
    """
    kinds = {
        (one.prompt_id, one.scoring, bool(one.options)): one
        for one in view.tables.instances
        if one.variant is None
    }
    said: dict[str, list[str]] = defaultdict(list)
    for run_id, meta in view.tables.runs.items():
        own = recorded_prompt(meta)
        for one in kinds.values():
            form = asked_of(one, run_meta=meta, benchmark_meta=view.tables.benchmark).form
            if own is None and form is not None:
                said[_wording(one)].append(run_id)
            elif own is not None and own.form is None and form:
                said[f"for this form of answer: “{form}”"].append(run_id)
    for what, runs in said.items():
        yield f"Run{'s' * (len(runs) > 1)} {listed(runs)} asked {what}"


def _wording(instance: Instance) -> str:
    """The messages of clinicnum's prompt for an instance, on one line, with its placeholders unfilled."""
    texts = " ".join(
        f"{one['role']} “{one['content'].strip()}”" for one in open_messages(instance) if one["content"]
    ).replace("\n", "\\n")
    none = " ({options} stands for nothing, as these items have none)"
    empty = none * ("{options}" in texts and not instance.options)
    return f"with clinicnum's prompt “{prompt_id_of(instance) or DEFAULT_PROMPT}”: {texts}{empty}"


def _counts(view: StudyView) -> Table:
    tables, chosen = view.tables, view.chosen
    strata = len({one.stratum for one in tables.inclusions})
    people = sorted({(one.annotator_id, one.annotator_kind) for one in tables.annotations})
    kinds = {kind: sum(other == kind for _, other in people) for kind in sorted({kind for _, kind in people})}
    unit = "pair" if KINDS[tables.kind].pairs else "generation"
    rows: list[tuple[Cell, ...]] = [
        ("instances", len(tables.instances)),
        *_subjects(view),
        ("runs", len(tables.runs)),
        ("generations", len(tables.generations)),
        *((f"generations of {run.name}", len(run.answers)) for run in view.runs if len(view.runs) > 1),
        ("scores", len(tables.scores)),
        (
            f"{'pairs ' * KINDS[tables.kind].pairs}drawn for annotation, {strata} "
            f"{'stratum' if strata == 1 else 'strata'}",
            len(tables.inclusions),
        ),
        (f"annotators asked per {unit}", tables.overlap),
        *((f"annotators, {kind}", count) for kind, count in kinds.items()),
        ("annotation revisions", len(tables.annotations)),
        ("judgements that count", len(chosen.annotations)),
        (f"{unit}s judged{hidden(view)}", len(chosen.by_generation)),
        *((f"left out: {row.why}", row.n) for row in chosen.left_out),
        *_asides(view),
        ("contests, of every round", len(tables.contests)),
        ("contests, without those made again in a repeat round", len(view.contests)),
        ("adjudications, superseded ones too", len(tables.adjudications)),
        ("instances invalidated", len(tables.invalidations)),
    ]
    return Table(
        id="counts",
        caption="How many of what",
        note=f"Unit: as each row says.{draw_said(view)}",
        trace=f"scores.csv{_LABELS[tables.kind]}; texts, contests, adjudications, invalidated instances, "
        "skipped assignments, flags and how many annotators are asked: as the study keeps them",
        columns=(Column(key="what", label="What"), Column(key="n", label="n", kind="count")),
        rows=tuple(rows),
    )


def _asides(view: StudyView) -> list[tuple[Cell, ...]]:
    """Skipped assignments, and annotators' flags; none where the study's files do not tell them."""
    asides = view.tables.asides
    if asides is None:
        return []
    flags = f"flags by annotators, of every round ({asides.flags_answered} of them answered)"
    return [("assignments skipped, main round", asides.skipped), (flags, asides.flags)]


def _subjects(view: StudyView) -> list[tuple[Cell, ...]]:
    """Number of subjects, or of their equivalent in questions from another benchmark."""
    ids = len({one.subject_id for one in view.tables.instances})
    if not made_elsewhere(view.tables.instances):
        return [("subjects", ids)]
    texts = len({one.context for one in view.tables.instances if one.context})
    return [("subject ids", ids), ("texts beside questions", texts)]


def _templates(view: StudyView) -> tuple[Table, ...]:
    """The table of every template version used, with its release and the failures from which it was made.

    An empty tuple if the benchmark names no release.
    """
    release = named_release(view.tables.benchmark)
    if release is None:
        return ()
    asked = Counter((one.template_id, one.template_version) for one in view.tables.instances)
    rows: list[tuple[Cell, ...]] = []
    for (template, version), count in sorted(asked.items()):
        found = release.templates.get(template)
        known = found if found is not None and found.version == version else None
        origins = "; ".join(str(one) for one in known.origins) if known else ""
        rows.append(
            (template, version, known.status if known else None, count, release.name, origins or None)
        )
    return (
        Table(
            id="template_versions",
            caption="Templates, and what they came from",
            note=f"Unit: instances; n = {sum(asked.values())}. Status: when release {release.name} (sha256 "
            f"{release.sha256}) was published. Came from: the labelled failure, and the upheld contest where "
            "there was one, that the template was drafted from; a dash: from none.",
            trace="scores.csv: template_id, template_version, bank_release; the release's MANIFEST.json; "
            "clinicnum templates trace ID shows the whole chain",
            columns=(
                Column(key="template", label="Template", kind="code"),
                Column(key="version", label="Version", kind="count"),
                Column(key="status", label="Status"),
                Column(key="instances", label="Instances", kind="count"),
                Column(key="release", label="Release", once=True),
                Column(key="origin", label="Came from"),
            ),
            rows=tuple(rows),
        ),
    )


def _metas(view: StudyView) -> Table:
    tables = view.tables
    study = {
        "name": tables.study_name,
        **({} if tables.status is None else {"status": tables.status}),
        "guideline_version": tables.guideline_version,
        "taxonomy": f"{tables.taxonomy_name} {tables.taxonomy_version}",
    }
    rows: list[tuple[Cell, ...]] = [("study", *pair) for pair in _flat(study)]
    benchmark = dict(tables.benchmark)
    release = named_release(benchmark)
    if release is not None:  # Its templates have a table of their own.
        benchmark["bank_release"] = {"name": release.name, "sha256": release.sha256}
    rows += [("benchmark", *pair) for pair in _flat(benchmark)]
    for run_id, meta in tables.runs.items():
        rows += [(f"run {run_id}", *pair) for pair in _flat(meta)]
    return Table(
        id="provenance",
        caption="Versions, hashes and settings",
        note=f"n = {len(rows)} entries, as the study and the files' own descriptions, where there are any, "
        f"give them.{_SESSIONS * any('sessions' in meta for meta in tables.runs.values())}",
        trace="the study itself, and the .meta.json beside the benchmark and beside each file of generations",
        columns=(
            Column(key="of", label="Of"),
            Column(key="what", label="What"),
            Column(key="value", label="Value", kind="code"),
        ),
        rows=tuple(rows),
        detail=True,
    )


def _flat(meta: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Nested keys joined by dots, in the order of the meta; lists joined by commas."""
    for key, value in meta.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        elif isinstance(value, (list, tuple)):
            yield f"{prefix}{key}", ", ".join(str(one) for one in value)
        else:
            yield f"{prefix}{key}", "none" if value is None else str(value)
