"""Soak test: annotators work for a long time while processes are killed repeatedly and everything is
checked.
"""

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from math import ceil
from multiprocessing import get_context
from pathlib import Path
from typing import Literal

from clinicnum.scripts.commands.common.open_database import open_database
from clinicnum.scripts.dev.load_test.browser_connection import Connection
from clinicnum.scripts.dev.load_test.database_invariants import Checked, Label, check
from clinicnum.scripts.dev.load_test.parallel_annotators import Measurements, milliseconds, work
from clinicnum.scripts.dev.load_test.postgres_cluster import Cluster, throwaway_cluster
from clinicnum.scripts.dev.load_test.retrying_annotator import PATIENCE_S, Action, RetryingAnnotator
from clinicnum.scripts.dev.load_test.server_process import ServerProcess
from clinicnum.scripts.dev.load_test.synthetic_study import PASSWORD, made_up, open_made_up

OVERLAP = 3
BROWSER_WAIT_S = 10.0
"""As WAIT_MS in `ui/pages/annotate/request_queue.js`."""
NAME = "clinicnum"
Serve = Callable[[str, Path], ServerProcess]
"""Makes a server from a database's address and the file of its log."""


@dataclass(frozen=True)
class Plan:
    """A soak test's database, duration, number of annotators, and how often a process is killed."""

    database: Literal["sqlite", "postgresql"]
    annotators: int
    actions: int
    """The test ends after this many actions, or after `seconds`; an item is three actions."""
    seconds: float
    every_s: float
    """One process is killed in each span of this many seconds, at a random moment."""
    least_kills: int = 1
    """The test does not end for lack of time before this many kills."""
    line_every_s: float = 60.0
    """Seconds between two lines of progress."""
    seed: int = 0

    @property
    def thought_s(self) -> float:
        """Thinking time per item in seconds, so that all actions take about 87 % of the run."""
        return self.annotators * 3 * self.seconds / self.actions / 1.15


@dataclass(frozen=True)
class Kill:
    """A killed process, when it was killed and when it ran again; times of `time.perf_counter`."""

    what: str
    at: float
    back: float


@dataclass
class Outcome:
    """The result of a soak test."""

    kills: list[Kill] = field(default_factory=list)
    checks: list[Checked] = field(default_factory=list)
    """One after each kill, and a final one when all work has ended."""
    acknowledged: int = 0
    asked: list[Action] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def waits(self, step: str | None = None, *, quiet: bool = False) -> list[float]:
        """Waits in seconds; with `quiet`, only of requests not affected by an outage."""
        return [
            one.ended - one.begun
            for one in self.asked
            if step in (None, one.step)
            and not (quiet and any(one.begun < kill.back and one.ended > kill.at for kill in self.kills))
        ]


@dataclass
class Running:
    """The running processes of one installation."""

    url: str
    servers: list[ServerProcess]
    cluster: Cluster | None

    def kill_one(self, dice: random.Random) -> Kill:
        """Kill a process and wait until everything runs again."""
        victims: list[ServerProcess | str] = [*self.servers]
        if self.cluster is not None:
            victims += ["a process of PostgreSQL", "PostgreSQL itself"]
        victim, at = dice.choice(victims), time.perf_counter()
        if isinstance(victim, ServerProcess):
            victim.kill()
            victim.start()
        elif self.cluster is not None and victim == "PostgreSQL itself":
            self.cluster.kill()
            self.cluster.start()
        elif self.cluster is not None:
            self.cluster.kill_backend(NAME, dice)
            self.cluster.wait()
        what = f"server {self.servers.index(victim) + 1}" if isinstance(victim, ServerProcess) else victim
        return Kill(what, at, time.perf_counter())


@contextmanager
def running(plan: Plan, folder: Path, serve: Serve) -> Iterator[tuple[Running, list[RetryingAnnotator]]]:
    """Start an installation with a study and logged-in annotators; yields both."""
    with throwaway_cluster(durable=True) if plan.database == "postgresql" else nullcontext() as cluster:
        url = f"sqlite:///{folder / 'study.db'}"
        if cluster is not None:
            with cluster.admin() as connection:
                connection.execute(f"CREATE DATABASE {NAME}")
            url = cluster.url(NAME)
        engine = open_database(url)
        items = ceil(plan.actions / 3 / OVERLAP * 1.1) + plan.annotators
        names = open_made_up(engine, made_up(items), annotators=plan.annotators, overlap=OVERLAP)
        engine.dispose()
        logs = ("first", "second") if cluster is not None else ("only",)
        servers = [serve(url, folder / f"{one}.log") for one in logs]
        annotators = [_annotator(plan, servers, number) for number in range(plan.annotators)]
        try:
            for server in servers:
                server.start()
            with ThreadPoolExecutor(4) as pool:
                list(pool.map(lambda one, name: one.log_in(name, PASSWORD), annotators, names))
            yield Running(url, servers, cluster), annotators
        finally:
            for server in servers:
                server.kill()
            for one in annotators:
                one.hang_up()


def _annotator(plan: Plan, servers: Sequence[ServerProcess], number: int) -> RetryingAnnotator:
    """Annotator `number`, at one of the servers in turn; a login is valid on all of them."""
    connections = [Connection(server.port, timeout_s=BROWSER_WAIT_S) for server in servers]
    for one in connections[1:]:
        one.cookies = connections[0].cookies
    first = number % len(connections)
    here, others = connections[first], connections[:first] + connections[first + 1 :]
    # S311: waiting times need no secure randomness.
    return RetryingAnnotator(here, others=others, dice=random.Random(f"{plan.seed} {number}"))  # noqa: S311


def soak(
    plan: Plan,
    folder: Path,
    say: Callable[[str], None] = print,
    serve: Serve = ServerProcess.clinicnum_serve,
) -> Outcome:
    """Run the test as planned. Raises TimeoutError if nobody can continue after a kill."""
    with (
        running(plan, folder, serve) as (system, annotators),
        ProcessPoolExecutor(1, get_context("forkserver")) as pool,
    ):
        stop, results = threading.Event(), list[Measurements]()
        longest = plan.seconds * 2 + PATIENCE_S

        def all_work() -> None:
            results.append(
                work(annotators, seconds=longest, thought_s=plan.thought_s, seed=plan.seed, stop=stop)
            )

        watch = _Watch(plan, system, annotators, pool, say)
        load = threading.Thread(target=all_work)
        load.start()
        try:
            watch.until_the_end()
        finally:
            stop.set()
            load.join()
        outcome = watch.outcome
        outcome.seconds = time.perf_counter() - watch.began
        watch.settle(wait=True)
        outcome.asked = [asked for one in annotators for asked in one.asked]
        outcome.errors = results[0].errors
        everything = [label for one in annotators for label in one.acknowledged]
        outcome.acknowledged = len(everything)
        outcome.checks.append(pool.submit(check, system.url, everything, None).result())
    return outcome


class _Watch:
    """Kills processes and starts checks of the database while annotators work; records the outcome."""

    def __init__(
        self,
        plan: Plan,
        system: Running,
        annotators: Sequence[RetryingAnnotator],
        pool: ProcessPoolExecutor,
        say: Callable[[str], None],
    ) -> None:
        self.plan, self.system, self.annotators, self.pool, self.say = plan, system, annotators, pool, say
        self.outcome = Outcome()
        self.began = time.perf_counter()
        self.dice = random.Random(plan.seed)  # noqa: S311  kill times need no secure randomness
        self.checked = [0] * len(annotators)
        self.told = [0] * len(annotators)
        self.at_work: Future[Checked] | None = None

    def until_the_end(self) -> None:
        """Kill processes and check the database until all actions are done or the time is up."""
        plan, spans, line_at = self.plan, 0, self.plan.line_every_s
        kill_at = self._moment(spans)
        while not self._over():
            now = time.perf_counter() - self.began
            if now >= kill_at:
                self._kill()
                spans = max(spans + 1, int((time.perf_counter() - self.began) / plan.every_s))
                kill_at = self._moment(spans)
            self.settle()
            if now >= line_at:
                line_at = max(line_at + plan.line_every_s, now)
                self._line(now)
            time.sleep(0.1)

    def _moment(self, span: int) -> float:
        return (span + self.dice.uniform(0.2, 0.8)) * self.plan.every_s

    def _actions(self) -> int:
        return sum(len(one.asked) for one in self.annotators)

    def _over(self) -> bool:
        late = time.perf_counter() - self.began >= self.plan.seconds
        enough = len(self.outcome.kills) >= self.plan.least_kills
        return self._actions() >= self.plan.actions or (late and enough)

    def _kill(self) -> None:
        """Kill a process, wait until everything runs and the annotators continue, then start a check."""
        self.settle(wait=True)
        self.outcome.kills.append(self.system.kill_one(self.dice))
        before, deadline = self._actions(), time.monotonic() + PATIENCE_S
        while self._actions() < before + len(self.annotators):
            if time.monotonic() > deadline:
                raise TimeoutError(f"nobody could go on after the kill of {self.outcome.kills[-1].what}")
            time.sleep(0.05)
        last = self.outcome.checks[-1] if self.outcome.checks else None
        self.at_work = self.pool.submit(check, self.system.url, self._new(), last)

    def _new(self) -> list[Label]:
        """Labels acknowledged since the last check, collected before the database is read."""
        upto = [len(one.acknowledged) for one in self.annotators]
        found = [
            label
            for one, start, end in zip(self.annotators, self.checked, upto, strict=True)
            for label in one.acknowledged[start:end]
        ]
        self.checked = upto
        return found

    def settle(self, *, wait: bool = False) -> None:
        """Record the result of the check that is under way if it has finished; with `wait`, wait until it
        has.
        """
        if self.at_work is not None and (wait or self.at_work.done()):
            self.outcome.checks.append(self.at_work.result())
            self.at_work = None

    def _line(self, now: float) -> None:
        upto = [len(one.asked) for one in self.annotators]
        waits = [
            asked.ended - asked.begun
            for one, start, end in zip(self.annotators, self.told, upto, strict=True)
            for asked in one.asked[start:end]
        ]
        self.told = upto
        faults = [one.faults for one in self.outcome.checks]
        self.say(
            f"{now / 60:5.1f} min {sum(upto):>8,} actions {len(self.outcome.kills):>3} kills "
            f"{sum(len(one.acknowledged) for one in self.annotators):>8,} acknowledged, wait p50 "
            f"{milliseconds(waits, 0.5)} p95 {milliseconds(waits, 0.95)}, {len(faults)} checks: lost "
            f"{sum(one.lost for one in faults)}, doubled {sum(one.doubled for one in faults)}, "
            f"other faults {sum(map(bool, faults))}"
        )
