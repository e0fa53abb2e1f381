"""The job `score`: rescore stored runs, with suggestions; also the last step of a run."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlmodel import Session

from clinicnum.annotations.study_summary import RunSummary
from clinicnum.annotations.worker_jobs import ScoreArguments
from clinicnum.db.engine import reading
from clinicnum.db.work.runs.store_study_material import begin_material
from clinicnum.db.work.runs.stored_runs import add_runs, load_stored
from clinicnum.scripts.commands.jobs.job_context import JobContext

if TYPE_CHECKING:
    from clinicnum.annotations.study_inputs import Material
    from clinicnum.types import Score


def score(context: JobContext, arguments: ScoreArguments) -> dict[str, Any]:
    """Score each run by the current rules; new studies use the new scores."""
    scored: list[Material] = []
    for run in arguments.runs:
        with reading(context.engine) as session:
            stored = load_stored(session, runs=[run], scored=False).material
        scored.append(replace(stored, scores=score_material(context, stored)))
    causes = [cause_counts(material) for material in scored]

    with context.storing() as parts:
        begun = [begin_material(parts, one) for one in scored]

        def store(session: Session) -> dict[str, Any]:
            told = [
                summary(add_runs(session, material=one, actor=context.user_id, begun=of_it), one)
                for one, of_it in zip(scored, begun, strict=True)
            ]
            return {
                "runs": [run for one in told for run in one["runs"]],
                "statuses": dict(sum((Counter(one["statuses"]) for one in told), Counter())),
                "causes": dict(sum(map(Counter, causes), Counter())),
            }

        return context.end_with(store)


def score_material(context: JobContext, material: "Material") -> "tuple[Score, ...]":
    """The score of each generation. Raises InputError for an instance that cannot be scored."""
    from clinicnum.scoring import check_scorable
    from clinicnum.scoring import score as judge

    instances = {one.instance_id: one for one in material.instances}
    for instance in material.instances:
        check_scorable(instance)
    generations = material.generations()
    scores = []
    for done, one in enumerate(generations):
        context.report(done=done, total=len(generations), unit="generations", step="scoring")
        scores.append(judge(instance=instances[one.instance_id], generation=one))
    return tuple(scores)


def cause_counts(material: "Material") -> dict[str, int]:
    """Taxonomy code -> number of failures of which it is the first suggestion, most frequent first."""
    from clinicnum.annotations.suggestion_computation import with_suggestions

    everything = {one.generation_id for one in material.generations()}
    found = with_suggestions(material, drawn=everything).suggestions
    return dict(Counter(one.code for one in found if one.rank == 1).most_common())


def summary(runs: Sequence[RunSummary], material: "Material") -> dict[str, Any]:
    """Result of a job that stored these runs: their row ids, number of answers by status, and the most
    frequent reason for which answers could not be read.
    """
    unread = Counter(one.reason for one in material.scores if one.status == "unparsable").most_common(1)
    return {
        "runs": [one.run for one in runs],
        "generations": len(material.scores),
        "statuses": dict(Counter(one.status for one in material.scores).most_common()),
        **({"unread_because": unread[0][0]} if unread else {}),
    }
