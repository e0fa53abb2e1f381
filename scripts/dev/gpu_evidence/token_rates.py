"""Tokens per second of four ways to run one model on the same prompts, with the same number of new tokens.

Loading is not timed. The local ways run in a separate process, so that the engine finds an empty GPU. The
engine alone is its own server, started as we start it, and asked by plain threads; it then returns neither
log-probabilities nor token ids, as it must through us.
"""

import http.client
import json
import statistics
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

from clinicnum.scripts.commands.inference.engines.arguments import (
    ENGINES,
    SERVED_NAME,
    EngineSettings,
    engine_arguments,
)
from clinicnum.scripts.commands.inference.engines.process import EngineProcess
from clinicnum.scripts.dev.gpu_evidence.evidence_configuration import (
    Setting,
    apart,
    last_line,
    run,
    session,
    texts,
)

LEAST_SHARE = 0.8
"""Required share of the engine's own tokens per second, through us."""
PLAIN, BATCHES, OWN, ALONE, THROUGH = (
    "plain `generate`, batch 1",
    "plain `generate`, in batches",
    "own loop",
    "engine alone",
    "engine through `clinicnum run`",
)
_FOR_PLAIN = 4
"""Number of prompts for plain `generate` at batch 1, which is slow."""


@dataclass(frozen=True)
class Measured:
    """What one way of running the model wrote, and how long it took."""

    prompts: int
    tokens: int
    """New tokens of all texts."""
    seconds: float
    texts: dict[str, str]

    @property
    def rate(self) -> float:
        """New tokens a second."""
        return self.tokens / self.seconds


Round = dict[str, Measured]


def measure(setting: Setting, rounds: int) -> list[Round]:
    """Measure all ways in each round, in alternating order."""
    found = []
    for number in range(rounds):
        ways: list[Callable[[], Round]] = [
            partial(apart, _local, setting),
            lambda: {ALONE: _alone(setting)},
            partial(_through_round, setting, number),
        ]
        done: Round = {}
        for way in reversed(ways) if number % 2 else ways:
            measured = way()
            done |= measured
            for name, one in measured.items():  # at once: a machine may be taken back before the end
                print(f"  {name}: {one.rate:,.1f} tokens a second, {one.prompts} prompts", flush=True)
        found.append(done)
    return found


def table(rounds: Sequence[Round]) -> tuple[list[str], float]:
    """Lines of a Markdown table, and the rate through clinicnum as a share of the engine's own: the median
    over the rounds.
    """
    share = statistics.median(one[THROUGH].rate / one[ALONE].rate for one in rounds)
    lines = ["| | prompts | new tokens | tokens a second | least to most |", "|---|---|---|---|---|"]
    for name in (PLAIN, BATCHES, OWN, ALONE, THROUGH):
        runs = [one[name] for one in rounds]
        rates = [one.rate for one in runs]
        lines.append(
            f"| {name} | {runs[0].prompts} | {runs[0].tokens} | {statistics.median(rates):,.1f} "
            f"| {min(rates):,.1f} to {max(rates):,.1f} |"
        )
    return lines, share


def requests(setting: Setting) -> list[Any]:
    """The benchmark's prompts as sent by `clinicnum run`."""
    from clinicnum.inference.client_interface import Request
    from clinicnum.io.benchmark import read_benchmark
    from clinicnum.prompt import messages_for

    instances = read_benchmark(setting.benchmark).values()
    return [Request(one.instance_id, messages_for(one)) for one in instances]


def prompts(tokenizer: Any, asked: Sequence[Any]) -> dict[str, list[int]]:
    """The token ids of each request's prompt, by instance id."""
    from clinicnum.inference.local.prompt_tokens import chat_text, token_ids

    ids = token_ids(tokenizer, [chat_text(tokenizer, one) for one in asked])
    return {one.instance_id: each for one, each in zip(asked, ids, strict=True)}


def _local(setting: Setting) -> Round:
    """Plain `generate` and our own loop on one loaded model."""
    from clinicnum.inference.client_interface import Decoding
    from clinicnum.inference.local import LocalClient
    from clinicnum.inference.local.loading import load

    loaded = load(setting.model, dtype=setting.dtype, device=setting.device)
    client = LocalClient(loaded)  # takes the penalties beside the weights away, for `generate` too
    asked = requests(setting)[: setting.local_prompts]
    ids = prompts(loaded.tokenizer, asked)
    some = dict(list(ids.items())[:_FOR_PLAIN])
    _generate(loaded, some, 2, 1)  # what is compiled or allocated once
    found = {
        PLAIN: _generate(loaded, some, setting.new_tokens, 1),
        BATCHES: _generate(loaded, ids, setting.new_tokens, setting.batch),
    }
    started = time.perf_counter()
    done = list(client.complete(asked, decoding=Decoding(max_new_tokens=setting.new_tokens)))
    seconds = time.perf_counter() - started
    tokens = sum(one.completion_tokens or 0 for one in done)
    return found | {OWN: Measured(len(done), tokens, seconds, {one.instance_id: one.text for one in done})}


def _generate(loaded: Any, ids: dict[str, list[int]], new: int, size: int) -> Measured:
    """Run transformers' `generate` in left-padded batches of `size` prompts of like length."""
    import torch
    from transformers import GenerationConfig

    pad, end = loaded.tokenizer.pad_token_id, loaded.tokenizer.eos_token_id
    config = GenerationConfig(max_new_tokens=new, do_sample=False, eos_token_id=end, pad_token_id=pad)
    names = sorted(ids, key=lambda name: -len(ids[name]))
    written: dict[str, list[int]] = {}
    started = time.perf_counter()
    for first in range(0, len(names), size):
        batch = names[first : first + size]
        padded = loaded.tokenizer.pad({"input_ids": [ids[name] for name in batch]}, return_tensors="pt")
        padded = padded.to(loaded.model.device)
        with torch.inference_mode():
            out = loaded.model.generate(**padded, generation_config=config)
        for name, row in zip(batch, out[:, padded["input_ids"].shape[1] :].tolist(), strict=True):
            written[name] = row[: row.index(end) + 1] if end in row else row
    seconds = time.perf_counter() - started
    said = {name: loaded.tokenizer.decode(row, skip_special_tokens=True) for name, row in written.items()}
    return Measured(len(ids), sum(map(len, written.values())), seconds, said)


def _alone(setting: Setting) -> Measured:
    """Measure the engine without clinicnum: its own server, started here, is asked from threads of this
    process, and only the answers are timed. Raises InputError if the server does not start, RuntimeError for
    an answer with another status than 200.
    """
    from clinicnum.inference.local import load_tokenizer

    ids = prompts(load_tokenizer(setting.model), requests(setting))
    engine = ENGINES[setting.engine]
    settings = EngineSettings(
        dtype=setting.dtype if "dtype" in engine.flags else None, arguments=setting.engine_args
    )
    command = engine_arguments(
        engine,
        setting.installed.program,
        setting.served,
        settings,
        at_once=setting.at_once,
        window=setting.window,
    )
    server = EngineProcess(engine, command, log=setting.folder / "alone.log")
    server.start()
    try:
        started = time.perf_counter()
        with ThreadPoolExecutor(setting.at_once) as threads:
            answers = list(threads.map(lambda prompt: _ask(server, prompt, setting.new_tokens), ids.values()))
        seconds = time.perf_counter() - started
    finally:
        server.stop()
    said = {name: str(one["choices"][0]["text"]) for name, one in zip(ids, answers, strict=True)}
    return Measured(len(ids), sum(one["usage"]["completion_tokens"] for one in answers), seconds, said)


def _ask(server: EngineProcess, prompt: list[int], new: int) -> dict[str, Any]:
    body = {"model": SERVED_NAME, "prompt": prompt, "max_tokens": new, "temperature": 0}
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {server.key}"}
    connection = http.client.HTTPConnection(server.address.split("/")[2], timeout=3_600)
    connection.request("POST", "/v1/completions", json.dumps(body), headers)
    answer = connection.getresponse()
    read: dict[str, Any] = json.loads(answer.read())
    connection.close()
    if answer.status != http.client.OK:
        raise RuntimeError(f"the engine answered {answer.status}: {str(read)[:200]}")
    return read


def _through_round(setting: Setting, number: int) -> Round:
    return {THROUGH: through(setting, number)}


def through(setting: Setting, number: int) -> Measured:
    """Time `clinicnum run` from its first request to its last generation on disk. Raises RuntimeError if it
    fails.
    """
    out = setting.folder / f"through-{number}.jsonl"
    code, said = run(setting.through(out))
    if code:
        raise RuntimeError(f"clinicnum run ended with code {code}: {last_line(said)}")
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    tokens = sum(one["completion_tokens"] for one in lines)
    return Measured(len(lines), tokens, session(out)["seconds"], texts(out))
