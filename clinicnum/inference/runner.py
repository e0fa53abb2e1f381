"""Run a benchmark through a client: every instance that is not done yet, each written once.

Files, locks and time belong to the caller: the runner is given the ids already done and a `write`.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from clinicnum.inference.client_interface import Client, Completion, Decoding, Request
from clinicnum.inference.confidence import confidences
from clinicnum.io.jsonl import content_id
from clinicnum.prompt import DEFAULT_PROMPT, messages_for, prompt_hash, prompt_id_of
from clinicnum.prompt_file import PromptFile
from clinicnum.types import Generation, Instance


def run_identity(
    *,
    model_fingerprint: str,
    prompt_ids: Iterable[str | None],
    decoding: Decoding,
    benchmark_sha256: str,
    prompt: PromptFile | None = None,
) -> dict[str, Any]:
    """The fields that identify a run, and the `run_id` computed from them.

    A `prompt` asks all instances, in place of the `prompt_ids` that they name. Raises InputError for an
    unknown prompt id.
    """
    identity: dict[str, Any] = {
        "model_fingerprint": model_fingerprint,
        "prompt_hash": prompt_hash(prompt_ids) if prompt is None else prompt.hash,
        "decoding": decoding.as_dict(),
        "benchmark_sha256": benchmark_sha256,
    }
    return identity | {"run_id": content_id(identity)}


def named_prompts(instances: Iterable[Instance]) -> dict[str, Any]:
    """The fields of a run's meta that record the prompts named by its instances.

    Raises InputError for an unknown prompt id.
    """
    ids = sorted({prompt_id_of(instance) or DEFAULT_PROMPT for instance in instances})
    return {"prompt_hash": prompt_hash(ids), "prompt_ids": ids}


def generation_id(run_id: str, instance_id: str) -> str:
    """The id of the generation of an instance in a run."""
    return content_id([run_id, instance_id])


def request_for(instance: Instance, prompt: PromptFile | None = None) -> Request:
    """The request to a client for an instance, with the user's `prompt` or that which the instance names.

    Raises InputError if the instance names an unknown prompt, or a checklist without answer points.
    """
    messages = messages_for(instance) if prompt is None else prompt.messages(instance)
    return Request(instance.instance_id, messages)


def run_instances(
    instances: Iterable[Instance],
    *,
    client: Client,
    run_id: str,
    decoding: Decoding,
    done: Collection[str],
    write: Callable[[Generation], None],
    postpone: Callable[[Completion], None] = lambda _: None,
    prompt: PromptFile | None = None,
) -> int:
    """Complete every instance whose id is not in `done`; return how many were written.

    `write` is called once per finished generation. A completion with a transient error is not written, so the
    next start asks for it again: `postpone` is called for it. `instances` are read as the client takes them,
    and forgotten when they are answered.
    """
    asked: dict[str, Instance] = {}

    def requests() -> Iterator[Request]:
        for instance in instances:
            if instance.instance_id not in done:
                asked[instance.instance_id] = instance
                yield request_for(instance, prompt)

    written = 0
    for completion in client.complete(requests(), decoding=decoding):
        instance = asked.pop(completion.instance_id)
        if completion.transient:
            postpone(completion)
            continue
        write(_generation(run_id, completion, instance))
        written += 1
    return written


def _generation(run_id: str, completion: Completion, instance: Instance) -> Generation:
    confidence = confidences(completion, instance)
    return Generation(
        generation_id=generation_id(run_id, completion.instance_id),
        run_id=run_id,
        instance_id=completion.instance_id,
        text=completion.text,
        finish_reason=completion.finish_reason,
        prompt_tokens=completion.prompt_tokens,
        completion_tokens=completion.completion_tokens,
        answer_confidence=confidence.answer,
        text_confidence=confidence.text,
        latency_s=completion.latency_s,
        thinking=completion.thinking,
        error=completion.error,
    )
