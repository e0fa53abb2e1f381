"""A study's tables with indexes and derived values, each computed once, for the sections of the report."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter, itemgetter
from typing import TypeVar

from clinicnum.annotations.adjudication import current_decisions
from clinicnum.annotations.agreement.agreement_questions import item_judgement, response_judgement
from clinicnum.annotations.agreement.annotation_selection import ChosenAnnotations, choose_annotations
from clinicnum.annotations.agreement.study_agreement import StudyAgreement, study_agreement
from clinicnum.annotations.consensus import (
    Protocol,
    Settlement,
    Verdict,
    consensus_of_all,
    level1_primary,
    settle,
    verdict,
)
from clinicnum.annotations.consensus.vote_consensus import EXPERTS, MIN_VOTES
from clinicnum.annotations.consequences_of_upholding import canonical_claim
from clinicnum.annotations.disputes import decides_labels
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.labels_by_item import Ballots
from clinicnum.annotations.reliability.active_time_overrun import Overrun, overruns
from clinicnum.annotations.reliability.suggestion_effect import Judged, split_arms
from clinicnum.annotations.report.cached_results import MadeOnce
from clinicnum.annotations.report.model_run import ModelRun, by_accuracy, model_runs
from clinicnum.annotations.report.near_duplicate_items import after_rewording
from clinicnum.annotations.report.question_summary import made_elsewhere
from clinicnum.annotations.report.study_tables import StudyTables, annotator_kind
from clinicnum.annotations.study_kind import RESPONSE_JUDGEMENTS
from clinicnum.annotations.types import Contest
from clinicnum.credentialed_data import data_use
from clinicnum.errors import InputError
from clinicnum.inference.model_metadata import asks_form
from clinicnum.prompt import asks_judged_form
from clinicnum.robustness import Answer
from clinicnum.robustness.paired_effects import model_effects
from clinicnum.stats.clustered_intervals import Subjects
from clinicnum.stats.paired_tests import Comparison
from clinicnum.types import Generation, Instance, Score

T = TypeVar("T")
_VERDICT = (item_judgement, response_judgement, level1_primary, attrgetter("severity"))
"""The fields on which a verdict depends."""


@dataclass(frozen=True)
class StudyView(MadeOnce):
    """StudyTables, indexed by id. Look-ups raise InputError for an unknown id."""

    tables: StudyTables

    @cached_property
    def _instances(self) -> Mapping[str, Instance]:
        return {one.instance_id: one for one in self.tables.instances}

    @cached_property
    def _generations(self) -> Mapping[str, Generation]:
        return {one.generation_id: one for one in self.tables.generations}

    @cached_property
    def _answered(self) -> Mapping[str, Instance | None]:
        return {one.generation_id: self._instances.get(one.instance_id) for one in self.tables.generations}

    @cached_property
    def _scores(self) -> Mapping[str, Score]:
        return {one.generation_id: one for one in self.tables.scores}

    @cached_property
    def _weights(self) -> Mapping[str, float]:
        return {one.generation_id: 1.0 / one.probability for one in self.tables.inclusions}

    @property
    def sampling_weights(self) -> Mapping[str, float] | None:
        """Weight of each sampled generation; None if a judged one has no stored inclusion probability."""
        judged = {*self.chosen.by_generation, *(generation for generation, _ in self.chosen.first)}
        return self._weights if judged <= self._weights.keys() else None

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Code -> its display name."""
        return {one.code: one.name for one in self.tables.taxonomy_codes}

    @cached_property
    def chosen(self) -> ChosenAnnotations:
        """The annotations that count, chosen by `choose_annotations`."""
        return choose_annotations(self.tables.annotations)

    @cached_property
    def after_rewording(self) -> frozenset[tuple[str, str]]:
        """(generation, annotator) of first judgements made after the gold of a similar item had been seen."""
        return after_rewording(self.chosen, self.tables.annotations, self.instance)

    @cached_property
    def last_judgements(self) -> tuple[tuple[Judged, ...], int]:
        """Each annotator's last complete judgements, as `split_arms` gives them."""
        return split_arms(self.tables.annotations)

    @cached_property
    def verdicts(self) -> Ballots[Verdict]:
        """Generation -> annotator -> verdict, of the annotations that count."""
        return self.chosen.ballots(verdict, _VERDICT)

    @cached_property
    def first_responses(self) -> Ballots[str]:
        """Generation -> annotator -> first judgement of the response, if stored."""
        given: dict[str, dict[str, str]] = {}
        for (generation, annotator), one in sorted(self.chosen.first.items(), key=itemgetter(0)):
            given.setdefault(generation, {})[annotator] = one.response_judgement
        return Ballots.of(given)

    @property
    def blind_protocol(self) -> Protocol:
        """Protocol for first responses: never `three_expert`, as adjudicators see the gold."""
        return "majority" if self.protocol == "three_expert" else self.protocol

    @cached_property
    def blind_responses(self) -> Mapping[str, str | None]:
        """Generation -> consensus of the first responses; None if they reach none."""
        settled = consensus_of_all(self.first_responses, self.blind_protocol, categories=RESPONSE_JUDGEMENTS)
        return {key: one.label for key, one in settled.items()}

    @cached_property
    def ballots(self) -> Mapping[str, Ballots[str]]:
        """Question (item, response, primary) -> its labels, of the annotations that count."""
        return {name: self.verdicts.map(attrgetter(name)) for name in ("item", "response", "primary")}

    @cached_property
    def subjects(self) -> Mapping[str, str]:
        """Subject of every annotated generation, including excluded annotations; generations sorted."""
        keys = {one.generation_id for one in self.tables.annotations}
        return {key: self.instance(key).subject_id for key in sorted(keys)}

    @cached_property
    def judged(self) -> Subjects:
        """Subject of every generation with an annotation that counts; generations sorted."""
        return Subjects.of(self.subjects[key] for key in self.chosen.by_generation)

    @cached_property
    def protocol(self) -> Protocol:
        """The protocol of the results: as set, else `three_expert` if labels are decided, else majority."""
        by_decision = decides_labels(self.decisions, self.chosen.by_generation, self.tables.design)
        return self.tables.consensus or ("three_expert" if by_decision else "majority")

    @cached_property
    def protocol_beside(self) -> Protocol | None:
        """The second protocol, for comparison: majority; if that is the first, `three_expert` or None."""
        if self.protocol != "majority":
            return "majority"
        return "three_expert" if self.decisions else None

    @cached_property
    def independent(self) -> int:
        """Judgements that settle a generation under `three_expert` undecided: 3, or 2 if two see it."""
        return min(EXPERTS, max(MIN_VOTES, self.tables.overlap))

    @cached_property
    def settlements(self) -> tuple[Settlement, ...]:
        """The consensus on each annotated generation."""
        return self.settled(self.protocol)

    @cached_property
    def settlements_beside(self) -> tuple[Settlement, ...]:
        """The consensus by `protocol_beside`, a second protocol for comparison, on the same generations in
        the same order; empty if there is no second protocol.
        """
        return () if self.protocol_beside is None else self.settled(self.protocol_beside)

    def settled(self, protocol: Protocol) -> tuple[Settlement, ...]:
        """The consensus on each annotated generation by a protocol."""
        said, decided = self.chosen.by_generation, self.decisions
        return settle(said, protocol, decisions=decided, verdicts=self.verdicts, independent=self.independent)

    @cached_property
    def decisions(self) -> Mapping[str, Judgement]:
        """Generation -> the adjudicator's current judgement."""
        return current_decisions(self.tables.adjudications)

    @cached_property
    def expert_settlements(self) -> Mapping[str, Settlement]:
        """Generation -> consensus by agreement or adjudication."""
        return {one.generation_id: one for one in self.settled("three_expert")}

    @cached_property
    def contests(self) -> tuple[Contest, ...]:
        """The contests, without those that an annotator raised again in a repeat round.

        Of two equal ones, the one that excluded instances is kept, else the decided one, else the first.
        """
        cited = {one.contest_id for one in self.tables.invalidations}
        found: dict[tuple[str, str, str], Contest] = {}
        for one in self.tables.contests:
            key = (one.generation_id, one.annotator_id, canonical_claim(one.kind, one.proposed_gold))
            found[key] = max(
                found.get(key, one), one, key=lambda each: (each.contest_id in cited, each.status != "open")
            )
        return tuple(found.values())

    @cached_property
    def overruns(self) -> Mapping[str, Overrun]:
        """Annotators whose active time exceeds the time between saves; empty for scripts, who have none."""
        return {} if self.chosen.scripted else overruns(self.chosen.annotations, self.tables.annotations)

    @cached_property
    def scripted_adjudicators(self) -> frozenset[str]:
        """Simulated adjudicators who decided anything."""
        decided = [(one.adjudicator_id, one.adjudicator_kind) for one in self.tables.adjudications]
        decided += [(one.decided_by or "", one.adjudicator_kind) for one in self.tables.contests]
        return frozenset(who for who, kind in decided if kind == "simulated")

    @cached_property
    def invalidated(self) -> frozenset[str]:
        """Ids of the instances excluded by upheld contests."""
        return frozenset(one.instance_id for one in self.tables.invalidations)

    @cached_property
    def agreement(self) -> StudyAgreement:
        """The layers of agreement, as on the agreement page and in the command."""
        return study_agreement(
            self.chosen,
            taxonomy_codes=[one.code for one in self.tables.taxonomy_codes],
            subjects=self.subjects,
            details=True,
            templates={one: self.instance(one).template_id for one in self.subjects},
            template_word="kind" if made_elsewhere(self.tables.instances) else "template",
            weights=self.sampling_weights,
            fields=self.tables.fields,
        )

    @cached_property
    def runs(self) -> tuple[ModelRun, ...]:
        """The runs, in the order of their generations."""
        answers: dict[str, list[Answer]] = {}
        for one in self.tables.generations:
            key = one.generation_id
            answers.setdefault(one.run_id, []).append(Answer(self.instance(key), one, self.score(key)))
        return model_runs(answers, self.tables.runs)

    @cached_property
    def ranked(self) -> tuple[ModelRun, ...]:
        """The runs by accuracy, the highest first."""
        return by_accuracy(self.runs)

    @cached_property
    def model_comparisons(self) -> tuple[Comparison, ...]:
        """Differences of every two models on shared items, by operation and overall; p-values corrected."""
        return model_effects([run.paired for run in self.runs])

    def asks_form(self, generation_id: str) -> bool:
        """Whether a generation's prompt requested the format that strict scoring checks."""
        run = self.tables.runs.get(self.generation(generation_id).run_id, {})
        return asks_form(run) and asks_judged_form(self.instance(generation_id))

    def model(self, run_id: str) -> str | None:
        """The model of a run, as its meta names it; None if it names none."""
        return str(self.tables.runs.get(run_id, {}).get("model") or "") or None

    @cached_property
    def annotator_kind(self) -> str:
        return annotator_kind(self.tables.annotations)

    @cached_property
    def data_use(self) -> str | None:
        """The sentence to show with credentialed data; None if the study's records are open."""
        return data_use(self.tables.benchmark, self.tables.instances, *self.tables.runs.values())

    def generation(self, generation_id: str) -> Generation:
        """The generation of that id. Raises InputError if the study has none."""
        return _found(self._generations, generation_id, "generation", "the generations")

    def instance(self, generation_id: str) -> Instance:
        """The instance that a generation answers. Raises InputError if either is missing."""
        found = self._answered.get(generation_id)
        if found is not None:
            return found
        instance_id = self.generation(generation_id).instance_id
        return _found(self._instances, instance_id, "instance", f"generation {generation_id}'s benchmark")

    def question(self, generation_id: str) -> str:
        """The id of the instance that a generation answers. Raises InputError if either is missing."""
        return self.instance(generation_id).instance_id

    def score(self, generation_id: str) -> Score:
        """The score of a generation. Raises InputError if there is none."""
        return _found(self._scores, generation_id, "score of generation", "the scores")

    def weight(self, generation_id: str) -> float:
        """1 / inclusion probability of a drawn generation. Raises InputError if none is stored."""
        return _found(self._weights, generation_id, "inclusion of generation", "the sample")


def _found(index: Mapping[str, T], key: str, what: str, where: str) -> T:
    try:
        return index[key]
    except KeyError:
        raise InputError(f"{what} {key!r} is missing from {where}; load the study's files anew") from None
