"""Group commit: what is acknowledged is durable, in order; errors reach the writer; a sync serves many."""

import itertools
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from clinicnum.errors import InputError
from clinicnum.inference.generations_journal import open_journal
from clinicnum.inference.group_commit import Committer
from clinicnum.types import Generation
from tests.clinicnum.answering import generation, instance
from tests.clinicnum.test_inference_journal import IDENTITY

GENERATIONS = [generation("110", of=instance(i)) for i in range(40)]
KNOWN = frozenset(one.instance_id for one in GENERATIONS)


def test_what_is_acknowledged_stands_in_the_file(tmp_path: Path) -> None:
    out = tmp_path / "g.jsonl"
    seen: list[str] = []

    def acknowledge(one: Generation) -> None:
        assert one.model_dump_json().encode() + b"\n" in out.read_bytes()
        seen.append(one.instance_id)

    with (
        open_journal(out, identity=IDENTITY, session={}, known=KNOWN) as journal,
        Committer(journal.commit, acknowledge) as committer,
    ):
        for one in GENERATIONS:
            committer.write(one)
    assert seen == [one.instance_id for one in GENERATIONS]


def test_one_sync_serves_all_that_came_meanwhile() -> None:
    batches: list[int] = []
    go_on = threading.Event()

    def slow(batch: Sequence[Generation]) -> None:
        batches.append(len(batch))
        assert go_on.wait(60)

    with Committer(slow, lambda _: None) as committer:
        committer.write(GENERATIONS[0])
        while not batches:
            threading.Event().wait(0.001)
        for one in GENERATIONS[1:]:
            committer.write(one)
        go_on.set()
    assert batches == [1, len(GENERATIONS) - 1]


def test_an_error_ends_the_writing() -> None:
    def full(batch: Sequence[Generation]) -> None:
        raise InputError("disk full")

    acknowledged: list[Generation] = []

    def write_on() -> None:
        with Committer(full, acknowledged.append) as committer:
            for one in itertools.cycle(GENERATIONS):
                committer.write(one)
                threading.Event().wait(0.001)

    with pytest.raises(InputError, match="disk full"):
        write_on()
    assert acknowledged == []


def test_an_error_of_the_last_one_is_not_lost() -> None:
    def full(batch: Sequence[Generation]) -> None:
        raise InputError("disk full")

    with pytest.raises(InputError, match="disk full"), Committer(full, lambda _: None) as committer:
        committer.write(GENERATIONS[0])


def test_an_error_of_the_client_is_not_hidden_and_what_it_gave_is_kept() -> None:
    kept: list[Generation] = []

    def fail_later() -> None:
        with Committer(kept.extend, lambda _: None) as committer:
            committer.write(GENERATIONS[0])
            raise InputError("server down")

    with pytest.raises(InputError, match="server down"):
        fail_later()
    assert kept == GENERATIONS[:1]
