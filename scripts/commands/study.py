"""`clinicnum study create` and `list`; the other subcommands on studies are in `change_study.py`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from clinicnum.scripts.commands.common.json_option import JsonOption
from clinicnum.scripts.commands.common.new_study_sources import DrawnFrom
from clinicnum.scripts.commands.common.open_database import DatabaseOption
from clinicnum.scripts.commands.common.study_option_files import (
    read_axes_option,
    read_criteria_option,
    read_fields,
    read_guideline,
)
from clinicnum.scripts.commands.text.study import print_preview, print_studies

GUESSABLE = (
    "warning: a number as --seed can be guessed; whoever has it and the generations can tell which model is "
    "behind an item. Leave --seed out for a study that is to be blind"
)
FILTERS = {
    "run": "run_ids",
    "operation": "operations",
    "representation": "representations",
    "template": "template_ids",
    "status": "statuses",
}


def create(
    name: Annotated[str, typer.Option(help="Name of the study.")],
    annotators: Annotated[str, typer.Option(help="Account names, joined by commas.")],
    benchmark: Annotated[Path | None, typer.Option(help="Instances, JSONL.")] = None,
    generations: Annotated[
        list[Path] | None, typer.Option(help="Generations, JSONL; several files, one a run.")
    ] = None,
    scores: Annotated[list[Path] | None, typer.Option(help="Scores of these generations, JSONL.")] = None,
    run: Annotated[
        list[str] | None, typer.Option(help="In place of files: a run in the database, see `runs list`.")
    ] = None,
    overlap: Annotated[int, typer.Option(help="How many annotators judge each answer.")] = 3,
    include: Annotated[
        str,
        typer.Option(
            help="incorrect: failures only; all: everything; mixed: failures and some scored-correct."
        ),
    ] = "mixed",
    size: Annotated[
        int | None, typer.Option(help="Answers to base questions to draw; default: all included.")
    ] = None,
    variants: Annotated[
        int, typer.Option(help="Answers to variants to draw beside base questions, as strata of their own.")
    ] = 0,
    correct_share: Annotated[float, typer.Option(help="Share of answers scored correct; mixed only.")] = 0.15,
    where: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE",
            help="Draw only these: run, operation, representation, template, status.",
        ),
    ] = None,
    training: Annotated[int, typer.Option(help="Items judged first, with feedback.")] = 0,
    qualifying: Annotated[
        int | None,
        typer.Option(help="Training items to judge as the reference before others are given; default: none."),
    ] = None,
    controls: Annotated[int, typer.Option(help="Hidden items with a reference, for everyone.")] = 0,
    references: Annotated[
        Path | None, typer.Option(help="Judgements to take these items from, JSONL.")
    ] = None,
    references_from: Annotated[
        str | None, typer.Option(metavar="STUDY", help="Or a closed study to take them from.")
    ] = None,
    repeat_share: Annotated[float, typer.Option(help="Chance that an item is a blind repeat.")] = 0.0,
    suggestion_policy: Annotated[
        str, typer.Option(help="hidden, after_judgement, shown or randomised.")
    ] = "hidden",
    lease_minutes: Annotated[int, typer.Option(help="How long an item in work keeps its place.")] = 120,
    guideline: Annotated[
        Path | None, typer.Option(help="Guideline, Markdown; default: made from the taxonomy.")
    ] = None,
    deadline: Annotated[
        str, typer.Option(metavar="YYYY-MM-DD", help="Day by which the work is wanted; it blocks nothing.")
    ] = "",
    fields: Annotated[
        Path | None, typer.Option(help="Fields that the study adds to the judgement, YAML.")
    ] = None,
    criteria: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Criteria to tick, CSV, JSONL or JSON; points: the items' answer points."
        ),
    ] = None,
    suggestions: Annotated[
        list[Path] | None, typer.Option(help="Suggested causes of these failures, JSONL.")
    ] = None,
    taxonomy: Annotated[
        Path | None, typer.Option(help="Taxonomy, YAML; default: clinical-numeracy 2.")
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option(
            help="Only to repeat an earlier draw; by default sample and order follow from a secret one."
        ),
    ] = None,
    pairwise: Annotated[
        bool,
        typer.Option("--pairwise", help="Compare two runs' answers side by side, whatever their scores."),
    ] = False,
    ratings: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Axes on which each answer is rated: a YAML file, or `built-in`."),
    ] = None,
    show_reference: Annotated[
        bool, typer.Option("--show-reference", help="With --ratings: show the gold answer beside the answer.")
    ] = False,
    claims: Annotated[
        bool, typer.Option("--claims", help="Check each sentence of an answer against the item's text.")
    ] = False,
    adjudication: Annotated[
        bool,
        typer.Option(
            help="Whether adjudicators settle differing preferences, ratings, verdicts and ticks of criteria."
        ),
    ] = True,
    rating_limit: Annotated[
        int,
        typer.Option(
            help="With --ratings: how many points ratings may lie apart before an adjudicator decides."
        ),
    ] = 1,
    pace: Annotated[int, typer.Option(help="Seconds an item, for the preview.")] = 60,
    preview: Annotated[
        bool, typer.Option("--preview", help="Show how large the study would be; write nothing.")
    ] = False,
    more: Annotated[
        list[Path] | None, typer.Argument(metavar="[GENERATIONS]...", help="Further generations files.")
    ] = None,
    db: DatabaseOption = None,
    json_output: JsonOption = False,
) -> None:
    """Draw a sample of the answers in runs, and open it to annotators. Runs come from files or the database.

    Example: clinicnum study create --name first --benchmark bench.jsonl --generations generations.jsonl
    --scores scores.jsonl --annotators ann,ben,eve --overlap 3
    """
    from clinicnum.annotations.custom_fields import check_keys
    from clinicnum.annotations.study_deadline import read_deadline, today
    from clinicnum.annotations.study_design import read_design
    from clinicnum.annotations.study_seed import is_guessable, parse_seed
    from clinicnum.annotations.taxonomy import load_taxonomy
    from clinicnum.db.engine import writing
    from clinicnum.db.work.studies.study_planning import new_seed, open_planned
    from clinicnum.errors import InputError
    from clinicnum.scripts.commands.common.credentialed_warning import warn
    from clinicnum.scripts.commands.common.open_database import using_database

    _check_include(include)
    due = read_deadline(deadline, now=today())
    if pace < 1:
        raise InputError(f"--pace {pace} s an item; expected 1 or more")
    if ratings and claims:
        raise InputError("a study asks one thing; give --ratings or --claims")
    asks = "ratings" if ratings else "claims" if claims else None
    design = read_design(
        {
            "overlap": overlap,
            "include": "all" if pairwise or asks else include,
            "pairwise": pairwise,
            "asks": asks,
            "reference": show_reference,
            "adjudicated": adjudication and bool(pairwise or asks or criteria),
            "rating_limit": rating_limit,
            "size": size,
            "variants": variants,
            "correct_share": correct_share,
            "where": _filter(where or []),
            "training": training,
            "qualifying": qualifying,
            "controls": controls,
            "repeat_share": repeat_share,
            "suggestions": suggestion_policy,
            "lease_minutes": lease_minutes,
            "fields": read_axes_option(ratings, fields) if ratings else read_fields(fields) if fields else (),
        }
    )
    chosen, text = load_taxonomy(taxonomy), read_guideline(guideline) if guideline else ""
    check_keys(design.fields, chosen)
    drawn_from = DrawnFrom(
        benchmark=benchmark,
        generations=[*(generations or []), *(more or [])],
        scores=scores or [],
        suggestions=suggestions or [],
        runs=run or [],
        references=references,
        references_from=references_from,
    )
    names = [part.strip() for part in annotators.split(",") if part.strip()]
    planned = drawn_from.plan(names, design, new_seed() if seed is None else parse_seed(seed), db)
    named = planned.model_in_name(name)
    if named:
        typer.echo(f"warning: {named}", err=True)
    if preview:
        print_preview(planned.preview(seconds_an_item=pace), planned.seed, json_output)
        return
    with using_database(db) as engine, writing(engine) as session:
        summary = open_planned(
            session,
            planned,
            name=name,
            taxonomy=chosen,
            guideline=text,
            criteria=read_criteria_option(criteria, planned.material.instances),
            deadline=due,
        )
    print_studies([summary], json_output)
    if planned.left_out:
        typer.echo(planned.left_out, err=json_output)
    if is_guessable(planned.seed):
        typer.echo(GUESSABLE, err=True)
    warn(planned.data_use)


def _check_include(include: str) -> None:
    from clinicnum.annotations.sampling import INCLUDES
    from clinicnum.errors import InputError

    if include not in INCLUDES:
        raise InputError(f"--include {include!r} does not exist; expected one of {', '.join(INCLUDES)}")


def _filter(conditions: Sequence[str]) -> dict[str, Any]:
    """Turn conditions such as `operation=arithmetic` into fields of a filter; several values of one key are
    alternatives.
    """
    from clinicnum.errors import InputError

    found: dict[str, Any] = {}
    for condition in conditions:
        key, equals, value = (part.strip() for part in condition.partition("="))
        if key in FILTERS and equals and value:
            found.setdefault(FILTERS[key], []).append(value)
        else:
            raise InputError(
                f"--where {condition!r} cannot be read; expected KEY=VALUE with one of {', '.join(FILTERS)}; "
                "variants are drawn by --variants N"
            )
    return found


def list_all(db: DatabaseOption = None, json_output: JsonOption = False) -> None:
    """List the studies with their progress.

    Example: clinicnum study list --json
    """
    from clinicnum.db.engine import reading
    from clinicnum.db.work.studies.study_summaries import list_studies
    from clinicnum.scripts.commands.common.open_database import existing_database

    with existing_database(db) as engine, reading(engine) as session:
        summaries = list_studies(session)
    print_studies(summaries, json_output)
