"""Benchmark of the local client against plain `generate` at batch 1 in arrival order.

    python -m clinicnum.scripts.dev.bench_inference [--dtype float32,bfloat16] [--instances 240]
        [--baseline 64] [--max-new-tokens 128] [--llama-server PATH --gguf FILE]
    python -m clinicnum.scripts.dev.bench_inference --random-weights small|7b
        (on a GPU: scripts/dev/bench_decoding_against_bandwidth.py)

Workload: the preset `paper` over the open MIMIC-IV-ED demo if it is there (--path), otherwise over synthetic
patients; of the prompts that fit the model's window, --instances in file order. `--sample contexts` takes
evenly spaced contexts with all their questions, as the preset asks about ten of each context; `spread` takes
evenly spaced instances, few of which share a context. The baseline runs evenly spaced instances of these, in
that order. Model, texts and dtype are the same; loading is not timed. The generated texts are compared;
where two differ, both are scored again in float32, and the difference of the logits of the two tokens at the
first difference is printed. CPU seconds are printed beside wall seconds, because they vary less on a shared
machine.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clinicnum.inference.client_interface import Completion, Decoding, Request

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Timed:
    """The texts of one way of running the model, and its time."""

    texts: dict[str, str]
    tokens: int
    """Generated tokens, including end tokens."""
    prompt_tokens: int
    wall_s: float
    cpu_s: float
    """CPU seconds of this process; 0 if another process computes."""

    @property
    def rate(self) -> float:
        """Generations per second."""
        return len(self.texts) / self.wall_s

    def line(self, name: str) -> str:
        """One row of the table."""
        cpu = f"{self.cpu_s / len(self.texts):7.2f}" if self.cpu_s else "      -"
        return (
            f"{name:34} {len(self.texts):5} {self.prompt_tokens / len(self.texts):8.0f} "
            f"{self.tokens / len(self.texts):7.1f} {self.wall_s:8.1f} {self.rate:8.3f} {cpu}"
        )


HEAD = (
    f"{'':34} {'texts':>5} {'prompt':>8} {'written':>7} {'wall s':>8} {'texts/s':>8} {'cpu s/t':>7}\n"
    f"{'':34} {'':5} {'tokens':>8} {'tokens':>7}"
)


def workload(path: Path, count: int, sample: str, fits: Any) -> tuple[list[Request], str]:
    """`count` requests of the preset `paper` in file order, and a description of their source.

    `path` is the folder of the MIMIC-IV-ED demo; where it is missing, patients are synthetic. `sample` is
    `contexts` or `spread` (see above). `fits` gives, for a list of requests, whether each fits the model's
    window.
    """
    from clinicnum.io.benchmark import read_benchmark
    from clinicnum.prompt import messages_for

    source = ["--source", "mimic-iv-ed", "--path", str(path)] if path.is_dir() else ["--source", "synthetic"]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "bench.jsonl"
        options = ["--preset", "paper", "--representation", "all", "--seed", "0", "--out", str(out)]
        command = [sys.executable, "-m", "clinicnum.scripts.cli", "generate", *source, *options]
        quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run(command, check=True, cwd=ROOT, **quiet)  # noqa: S603  our own command
        instances = list(read_benchmark(out).values())
    requests = [Request(one.instance_id, messages_for(one)) for one in instances]
    fitting = [i for i, fit in enumerate(fits(requests)) if fit]
    said = f"preset paper, {source[1]}: {len(fitting)} of {len(requests)} prompts fit the window"
    if sample == "contexts":
        contexts = list(dict.fromkeys(instances[i].context for i in fitting))
        taken = next(
            kept
            for many in range(1, len(contexts) + 1)
            if len(kept := _about(instances, fitting, evenly(contexts, many))) >= count
            or many == len(contexts)
        )
    else:
        taken = evenly(fitting, count)
    taken = taken[:count]
    different = len({instances[i].context for i in taken})
    return [
        requests[i] for i in taken
    ], f"{said}; sample of {len(taken)} over {different} contexts ({sample})"


def _about(instances: Sequence[Any], places: Sequence[int], contexts: Sequence[str]) -> list[int]:
    """The indices in `places` of instances with one of these contexts."""
    wanted = frozenset(contexts)
    return [i for i in places if instances[i].context in wanted]


def evenly(items: Sequence[Any], count: int) -> list[Any]:
    """`count` evenly spaced items, in order."""
    count = min(count, len(items))
    return [items[i * len(items) // count] for i in range(count)]


def run_plain(loaded: Any, requests: Sequence[Request], new_tokens: int) -> Timed:
    """Run transformers' `generate`, one prompt at a time, in the order given."""
    import torch
    from transformers import GenerationConfig

    from clinicnum.inference.local.loading import end_ids
    from clinicnum.inference.local.prompt_tokens import chat_text

    tokenizer, model = loaded.tokenizer, loaded.model
    config = GenerationConfig(
        max_new_tokens=new_tokens,
        do_sample=False,
        eos_token_id=end_ids(model.generation_config, tokenizer),
        pad_token_id=tokenizer.pad_token_id,
    )
    texts, tokens, prompt_tokens = {}, 0, 0
    wall, cpu = time.perf_counter(), time.process_time()
    for request in requests:
        text = chat_text(tokenizer, request)
        ids = tokenizer(text, add_special_tokens=False, return_tensors="pt").to(model.device)
        with torch.inference_mode():
            out = model.generate(**ids, generation_config=config)
        width = ids["input_ids"].shape[1]
        texts[request.instance_id] = tokenizer.decode(out[0, width:], skip_special_tokens=True)
        tokens += out.shape[1] - width
        prompt_tokens += width
    return Timed(texts, tokens, prompt_tokens, time.perf_counter() - wall, time.process_time() - cpu)


def run_client(client: Any, requests: Sequence[Request], new_tokens: int, *, ours: bool = True) -> Timed:
    """Run any client; `ours` means that it computes in this process.

    Requests that failed are printed, and count neither as texts nor as tokens.
    """
    wall, cpu = time.perf_counter(), time.process_time()
    done: list[Completion] = list(client.complete(requests, decoding=Decoding(max_new_tokens=new_tokens)))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    failed = [one for one in done if one.finish_reason == "error"]
    if failed:
        print(f"{len(failed)} failed, the first: {failed[0].error}")
    kept = [one for one in done if one.finish_reason != "error"]
    texts = {one.instance_id: one.text for one in kept}
    written = sum(one.completion_tokens or 0 for one in kept)
    return Timed(texts, written, sum(one.prompt_tokens or 0 for one in kept), wall, cpu if ours else 0.0)


def margin(model: Any, tokenizer: Any, request: Request, one: str, other: str) -> tuple[int, float]:
    """The token position at which two texts diverge, and by how much the first text's logit exceeds the
    other's there.
    """
    import torch

    from clinicnum.inference.local.loading import end_ids
    from clinicnum.inference.local.prompt_tokens import chat_text

    end = end_ids(model.generation_config, tokenizer)[:1]
    prompt = tokenizer(chat_text(tokenizer, request), add_special_tokens=False)["input_ids"]
    first, second = (tokenizer(text, add_special_tokens=False)["input_ids"] + end for text in (one, other))
    place = next((i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), 0)
    with torch.inference_mode():
        ids = torch.tensor([prompt + first[:place]], device=model.device)
        logits = model(input_ids=ids).logits[0, -1].float()
    return place, float(logits[first[place]] - logits[second[place]])


def compare(loaded: Any, requests: Sequence[Request], plain: Timed, ours: Timed, *, margins: bool) -> None:
    """Print how many texts differ, and the logit margins."""
    differing = [r for r in requests if r.instance_id in plain.texts]
    differing = [r for r in differing if plain.texts[r.instance_id] != ours.texts.get(r.instance_id)]
    share = len(differing) / len(plain.texts)
    print(f"texts that differ: {len(differing)} of {len(plain.texts)} ({share:.1%})")
    for request in differing if margins else ():
        one, other = plain.texts[request.instance_id], ours.texts.get(request.instance_id, "")
        place, apart = margin(loaded.model, loaded.tokenizer, request, one, other)
        print(f"  {request.instance_id}: they part at token {place}, logit margin {apart:.5f}")


def bench(arguments: argparse.Namespace, dtype: Any) -> None:
    """Benchmark one dtype: plain `generate`, ours, and llama.cpp's server if requested."""
    from clinicnum.inference.local import LocalClient, chat_text
    from clinicnum.inference.local.loading import context_length, load
    from clinicnum.inference.local.prompt_tokens import token_ids

    loaded = load(arguments.model, dtype=dtype)
    tokenizer, limit = loaded.tokenizer, context_length(loaded.model) - arguments.max_new_tokens

    def fits(requests: Sequence[Request]) -> list[bool]:
        return [
            len(ids) <= limit for ids in token_ids(tokenizer, [chat_text(tokenizer, r) for r in requests])
        ]

    requests, said = workload(arguments.path, arguments.instances, arguments.sample, fits)
    sample = evenly(requests, arguments.baseline)
    client = LocalClient.load(arguments.model, dtype=dtype, batch_tokens=arguments.batch_tokens)
    print(f"\n{dtype}, at most {arguments.max_new_tokens} new tokens; {said}")
    print(json.dumps(client.describe()))
    run_plain(loaded, requests[:1], 2)
    run_client(client, requests[:1], 2)
    print(HEAD)
    half = len(sample) // 2  # the baseline runs before and after ours, so that other load affects both
    before = run_plain(loaded, sample[:half], arguments.max_new_tokens)
    ours = run_client(client, requests, arguments.max_new_tokens)
    after = run_plain(loaded, sample[half:], arguments.max_new_tokens)
    plain = _joined(before, after)
    print(plain.line("plain generate, batch 1"))
    print(ours.line("ours"))
    print(f"ratio of texts a second: {ours.rate / plain.rate:.2f}, ", end="")
    print(f"of CPU time: {(plain.cpu_s / len(plain.texts)) / (ours.cpu_s / len(ours.texts)):.2f}")
    compare(loaded, requests, plain, ours, margins=dtype == "float32")
    if arguments.llama_server:
        _against_llama(arguments, requests, ours)


def _joined(one: Timed, other: Timed) -> Timed:
    return Timed(
        one.texts | other.texts,
        one.tokens + other.tokens,
        one.prompt_tokens + other.prompt_tokens,
        one.wall_s + other.wall_s,
        one.cpu_s + other.cpu_s,
    )


def _against_llama(arguments: argparse.Namespace, requests: Sequence[Request], ours: Timed) -> None:
    from clinicnum.scripts.dev.llama_cpp_server import serving

    with serving(arguments.llama_server, arguments.gguf, arguments.model) as client:
        theirs = run_client(client, requests, arguments.max_new_tokens, ours=False)
    print(theirs.line("llama.cpp's server, 8 slots"))
    same = sum(theirs.texts.get(key) == text for key, text in ours.texts.items())
    print(f"ours to llama.cpp: {ours.rate / theirs.rate:.2f} in texts a second; {same} texts are the same")


def main() -> None:
    """Parse the command line and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--model", type=Path, help="default: the small model")
    parser.add_argument("--path", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--dtype", default="float32,bfloat16", help="one or more, with commas")
    parser.add_argument("--instances", type=int, default=240)
    parser.add_argument("--baseline", type=int, default=64)
    parser.add_argument("--sample", choices=("contexts", "spread"), default="contexts")
    parser.add_argument("--max-new-tokens", type=int, default=128)
    parser.add_argument("--batch-tokens", type=int)
    parser.add_argument("--llama-server", type=Path, help="as scripts/dev/llama_server prints it")
    parser.add_argument("--gguf", type=Path, help="as scripts/dev/llama_server --gguf MODEL prints it")
    parser.add_argument("--random-weights", choices=("tiny", "small", "7b"))
    parser.add_argument("--batches", default="1,64,256,1024")
    arguments = parser.parse_args()
    os.environ["HF_HUB_OFFLINE"] = "1"
    if arguments.random_weights:
        from clinicnum.scripts.dev.bench_decoding_against_bandwidth import bandwidth

        bandwidth(arguments.random_weights, [int(one) for one in arguments.batches.split(",")])
        return
    if arguments.model is None:
        from clinicnum.scripts.commands.common.install_small_model import ensure_small_model

        arguments.model = ensure_small_model()
    for dtype in arguments.dtype.split(","):
        bench(arguments, dtype)


if __name__ == "__main__":
    main()
