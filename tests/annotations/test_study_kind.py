"""The kind of a study: read from designs of every version, and told by each of its judgements."""

import pytest

from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.study_design import Design, read_design
from clinicnum.annotations.study_kind import KINDS, RESPONSES, kind_of_design
from clinicnum.errors import InputError


def test_designs_of_every_version_say_their_kind_and_are_written_as_they_were() -> None:
    for stored, kind in (({}, "failures"), ({"pairwise": True}, "pairwise"), ({"asks": "claims"}, "claims")):
        design = Design.model_validate({"include": "all", **stored})
        assert design.kind == kind_of_design(stored) == kind
        assert design.rules is KINDS[design.kind]
        written = design.model_dump(mode="json")
        assert {key: written[key] for key in ("pairwise", "asks") if key in written} == stored
    with pytest.raises(InputError, match="a study asks one thing"):
        read_design({"include": "all", "pairwise": True, "asks": "ratings"})


def test_each_judgement_tells_the_kind_of_its_study() -> None:
    found = {value: Judgement.model_validate({"response_judgement": value}).kind for value in RESPONSES}
    assert {kind: tuple(v for v in found if found[v] == kind) for kind in KINDS} == {
        kind: rules.responses for kind, rules in KINDS.items()
    }


@pytest.mark.parametrize("kind", ["ratings", "claims"])
def test_what_only_failures_have_is_refused_elsewhere(kind: str) -> None:
    for given in ({"controls": 1}, {"suggestions": "shown"}, {"include": "mixed"}):
        with pytest.raises(InputError, match="whatever their scores"):
            read_design({"include": "all", "asks": kind, **given})
    with pytest.raises(InputError, match="takes no criteria"):
        Design.model_construct(asks=kind).check_criteria(given=True)
