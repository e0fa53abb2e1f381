"""Latent flips on states of known content: what is told from a state, what flips, what is withheld."""

import json
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clinicnum.errors import InputError
from clinicnum.inference.hidden_states import contexts_of
from clinicnum.robustness.hidden_and_clinical_states import HiddenStates, read_hidden, state_of
from clinicnum.robustness.latent_flip_rate import LatentRow, latent_rows
from clinicnum.types import Instance
from tests.clinicnum.answering import instance, records

SIZE = 24
SUBJECTS = 40


def _asked(number: int, *, shocked: bool, subject: str, **changes: Any) -> Instance:
    """A question on three records with a heart rate over (under) 0.7 of the systolic pressure of 120."""
    rates = (70, 95 if shocked else 72, 75)
    shown = [
        record.model_copy(update={"heart_rate_bpm": Decimal(rate)})
        for record, rate in zip(records(subject), rates, strict=True)
    ]
    context = f"{subject} {number} {rates} {changes.get('variant', '')}"
    return instance(number, context=context, subject_id=subject, records=tuple(shown), **changes)


@lru_cache
def _world(strength: float, flips: float) -> tuple[dict[str, Instance], HiddenStates]:
    """Bases of which half are shocked, each with a distractor and a neutral re-rendering.

    A state lies along the first axis, +-`strength` away from 0 in noise of size 1; a share `flips` of the
    distractor variants, and no neutral one, is moved to the other side.
    """
    rng = np.random.default_rng(0)
    instances: dict[str, Instance] = {}
    vectors, number = [], 0
    for subject in range(SUBJECTS):
        for turn in range(4):
            shocked = (subject + turn) % 2 == 0
            own = rng.normal(0, 1, SIZE)
            own[0] += strength if shocked else -strength
            base = _asked(number, shocked=shocked, subject=f"s{subject}")
            for kind in (None, "input.distractor", "representation.order"):
                made = (
                    base
                    if kind is None
                    else _asked(
                        number, shocked=shocked, subject=f"s{subject}", variant=kind, base_id=base.instance_id
                    )
                )
                instances[made.instance_id] = made
                moved = kind == "input.distractor" and rng.random() < flips
                vectors.append(own * np.where(np.arange(SIZE) == 0, -1.0 if moved else 1.0, 1.0))
                number += 1
    rows = {name: row for row, name in enumerate(instances)}
    return instances, HiddenStates("planted", rows, np.array(vectors, dtype=np.float32), {})


def _shock(strength: float, flips: float) -> LatentRow:
    instances, hidden = _world(strength, flips)
    row = next(row for row in latent_rows(instances, hidden) if row.state == "shock_index")
    return row


def test_planted_flips_are_found_beside_a_neutral_rate_of_none() -> None:
    row = _shock(strength=6.0, flips=0.25)
    assert row.auroc is not None
    assert row.auroc > 0.99
    assert (row.n_contexts, row.n_subjects, row.prevalence) == (4 * SUBJECTS, SUBJECTS, 0.5)
    (kind,) = row.kinds
    assert kind.kind == "input.distractor"
    assert kind.flips.value == pytest.approx(0.25, abs=0.06)
    assert kind.flips.n == 4 * SUBJECTS
    assert row.neutral.value == 0.0


def test_a_probe_that_cannot_tell_the_state_gives_no_rate() -> None:
    row = _shock(strength=0.05, flips=0.25)
    assert row.auroc is not None
    assert row.auroc < 0.8
    assert row.withheld == f"the probe's AUROC is {row.auroc:.2f}, below 0.8"
    assert (row.kinds, row.neutral.value) == ((), None)


def test_a_probe_never_learns_from_the_subject_that_it_reads() -> None:
    # Each subject has a vector of its own in 64 dimensions and one state: who has seen the subject knows it.
    rng = np.random.default_rng(1)
    instances, vectors = {}, []
    for subject in range(SUBJECTS):
        own = rng.normal(0, 1, 64)
        for turn in range(4):
            one = _asked(4 * subject + turn, shocked=subject % 2 == 0, subject=f"s{subject}")
            instances[one.instance_id] = one
            vectors.append(own + rng.normal(0, 0.01, 64))
    rows = {name: row for row, name in enumerate(instances)}
    hidden = HiddenStates("own", rows, np.array(vectors, dtype=np.float32), {})
    row = next(row for row in latent_rows(instances, hidden) if row.state == "shock_index")
    assert row.auroc is not None
    assert row.auroc < 0.8


def test_states_that_the_records_do_not_show_have_a_reason() -> None:
    instances, hidden = _world(6.0, 0.0)
    fever = next(row for row in latent_rows(instances, hidden) if row.state == "fever")
    assert fever.withheld == "0 contexts of 0 subjects with the state; a probe needs 20 of 5"
    assert fever.n_contexts == 0  # no record has a temperature


def test_a_variant_that_moves_the_state_is_no_flip() -> None:
    instances, hidden = _world(6.0, 0.0)
    name = next(name for name, one in instances.items() if one.variant == "input.distractor")
    shown = tuple(r.model_copy(update={"heart_rate_bpm": Decimal(150)}) for r in instances[name].records)
    calm = tuple(r.model_copy(update={"heart_rate_bpm": Decimal(60)}) for r in instances[name].records)
    base = instances[instances[name].base_id or ""]
    other = calm if state_of("shock_index", base) else shown
    changed = instances | {name: instances[name].model_copy(update={"records": other})}
    (kind,) = next(row for row in latent_rows(changed, hidden) if row.state == "shock_index").kinds
    assert (kind.n_moved, kind.flips.n) == (1, 4 * SUBJECTS - 1)


def _written(folder: Path) -> tuple[Path, dict[str, Instance]]:
    instances, hidden = _world(6.0, 0.0)
    path = folder / "states.npy"
    np.save(path, hidden.vectors)
    lines = []
    for context in contexts_of(list(instances.values())):
        row = hidden.rows[context.instance_ids[0]]
        lines.append({"row": row, "instance_ids": list(context.instance_ids), "reason": None})
    lines.append({"row": None, "instance_ids": ["far"], "reason": "too long"})
    path.with_name("states.npy.rows.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    path.with_name("states.npy.meta.json").write_text('{"model": "m", "benchmark_sha256": "abc"}')
    return path, instances


def test_reads_what_hidden_states_writes(tmp_path: Path) -> None:
    path, instances = _written(tmp_path)
    hidden = read_hidden(path, benchmark_sha256="abc")
    assert (hidden.model, set(hidden.rows), hidden.without) == ("m", set(instances), {"too long": 1})
    turned = dict(reversed(instances.items()))
    assert latent_rows(turned, hidden) == latent_rows(instances, replace(_world(6.0, 0.0)[1], model="m"))


HEADER = b"{'descr': '<f4', 'fortran_order': False, 'shape': (1L, 2L), }\n"
PYTHON_2 = b"\x93NUMPY\x01\x00" + len(HEADER).to_bytes(2, "little") + HEADER + bytes(8)


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("states.npy.meta.json", b'{"benchmark_sha256": "other"}', "was made for another benchmark"),
        ("states.npy", b"nonsense", "not a .npy array"),
        ("states.npy", PYTHON_2, "not a .npy array"),
        ("states.npy.rows.jsonl", b'{"row": 9999, "instance_ids": []}\n', "row 9999; expected 0 to 479"),
        ("states.npy.rows.jsonl", b"[]\n", ":1: not a row of hidden states"),
    ],
    ids=["another benchmark", "no array", "a header to guess at", "no such row", "no row at all"],
)
def test_a_file_amiss_is_named(tmp_path: Path, file: str, content: bytes, said: str) -> None:
    path, _ = _written(tmp_path)
    (tmp_path / file).write_bytes(content)
    with pytest.raises(InputError, match=said):
        read_hidden(path, benchmark_sha256="abc")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.npy: no such file"):
        read_hidden(tmp_path / "none.npy", benchmark_sha256="abc")
