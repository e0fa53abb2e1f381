"""Prompts sent as token ids, so that an engine shows the model exactly what the local client would.

A server that renders messages itself may have another template, another date or other settings. Here the
model's own tokenizer writes the prompt and reads the generated ids.
"""

import json
import math
from dataclasses import dataclass
from typing import Any, Literal

from clinicnum.errors import InputError
from clinicnum.inference.client_interface import Completion, Decoding, Request, prompt_too_long
from clinicnum.inference.local.detokenize import completion_of_tokens
from clinicnum.inference.local.prompt_tokens import chat_text, token_ids
from clinicnum.inference.openai.completion import (
    BROKEN_OFF,
    align_tokens,
    finish_reason,
    first_choice,
    token_count,
)
from clinicnum.inference.openai.request_body import drawing, refused_parameters
from clinicnum.parsing.thinking import ends_open, split_thinking

OPTIONAL = (
    *("logprobs", "seed", "repetition_penalty", "stop_token_ids", "return_token_ids"),
    *("top_p", "top_k", "min_p"),
)
"""Parameters engines may refuse. vLLM returns ids if asked, llama.cpp beside the log-probabilities."""
_NEUTRAL = {
    **{"do_sample": False, "num_beams": 1, "num_return_sequences": 1, "guidance_scale": 1.0},
    **{"repetition_penalty": 1.0, "no_repeat_ngram_size": 0, "min_length": 0, "min_new_tokens": 0},
    **{"encoder_repetition_penalty": 1.0, "encoder_no_repeat_ngram_size": 0},
}
"""Settings of no effect, sent because transformers would else use the model's own."""
_DRAWING = {
    **{"do_sample": True, "top_k": 0, "top_p": 1.0, "min_p": 0.0},
    **{"typical_p": 1.0, "epsilon_cutoff": 0.0, "eta_cutoff": 0.0},
}
"""The same for sampling."""
_HARMLESS = {
    *("bos_token_id", "eos_token_id", "pad_token_id", "decoder_start_token_id", "transformers_version"),
    *("use_cache", "cache_implementation", "_from_model_config", "max_length", "max_new_tokens"),
    *("temperature", "top_p", "top_k", "min_p", "typical_p", "epsilon_cutoff", "eta_cutoff", "top_h"),
}
"""Settings without effect on greedy text, or given with each request."""
_HIGHEST_LOGPROB = 1e-3
"""Largest log-probability accepted: 0, with room for rounding."""


@dataclass(frozen=True)
class Prompt:
    """A prompt as the model sees it."""

    text: str
    ids: tuple[int, ...]
    most: int
    """Most new tokens that the window leaves room for, and that were asked for."""
    opened: bool
    """Whether it ends within a block of thinking."""


class TokenPrompts:
    """Requests for completions of token ids; a `RequestFormat`."""

    path = "/completions"

    def __init__(
        self, tokenizer: Any, *, ends: list[int], window: int, form: Literal["ids", "text"] = "ids"
    ) -> None:
        """`ends` are the ids that end a turn, `window` the most tokens of prompt and answer together.

        With the form `text` the prompt goes out as text, for an engine that takes no ids, and only if its
        tokenizer reads the same ids in it.
        """
        self._tokenizer, self._ends, self._window, self._form = tokenizer, ends, window, form
        self._prompts: dict[str, Prompt] = {}
        self.without: set[str] = set()
        self.folds_system = False

    def prompt(self, request: Request, decoding: Decoding) -> Prompt:
        """The prompt of a request. Raises InputError for one that cannot be sent in this form."""
        known = self._prompts.get(request.instance_id)
        if known is not None:
            return known
        text = chat_text(self._tokenizer, request, decoding.template_arguments)
        ids = token_ids(self._tokenizer, [text])[0]
        if self._form == "text":
            text = self._text_of(text, ids)
        most = min(decoding.max_new_tokens, self._window - len(ids))
        made = self._prompts[request.instance_id] = Prompt(text, tuple(ids), most, ends_open(text))
        return made

    def _text_of(self, text: str, ids: list[int]) -> str:
        """The text in which a server's tokenizer, which adds its own first token, reads these ids."""
        bare = text.removeprefix(self._tokenizer.bos_token or "")
        for candidate in (text, bare):
            if self._tokenizer(candidate)["input_ids"] == ids:
                return candidate
        raise InputError(
            "this engine takes prompts as text only, and would read other tokens in this model's; take "
            "another --engine"
        )

    def impossible(self, request: Request, decoding: Decoding) -> Completion | None:
        """The error of a prompt that does not fit the window; None for all others. Raises InputError as
        `prompt` does.
        """
        prompt = self.prompt(request, decoding)
        if prompt.most > 0:
            return None
        return prompt_too_long(request.instance_id, len(prompt.ids), self._window)

    def payload(self, request: Request, *, model: str, decoding: Decoding) -> dict[str, Any]:
        """The JSON body of a request. Raises InputError as `prompt` does."""
        prompt = self.prompt(request, decoding)
        options = {
            "logprobs": 1,
            "seed": decoding.seed_of(request.instance_id),
            "repetition_penalty": 1.0,
            "stop_token_ids": self._ends,
            "return_token_ids": True,
            **drawing(decoding),
        }
        body = {
            "model": model,
            "prompt": list(prompt.ids) if self._form == "ids" else prompt.text,
            "max_tokens": prompt.most,
            "temperature": decoding.temperature or 0,
        }
        if self._form == "text":  # transformers would begin from the settings stored with the weights
            own = {"eos_token_id": self._ends, "pad_token_id": self._tokenizer.pad_token_id}
            if decoding.temperature:
                own |= _DRAWING
            body["generation_config"] = json.dumps(_NEUTRAL | own | {"max_new_tokens": prompt.most})
        return body | {key: value for key, value in options.items() if key not in self.without}

    def learn(self, status: int, message: str, payload: dict[str, Any]) -> bool:
        """Learn from a refusal of `payload`; returns whether another form of the request is worth sending."""
        if status < 400 or status in (401, 403, 404, 429):
            return False
        refused = refused_parameters(message, payload, OPTIONAL)
        self.without |= refused
        return bool(refused)

    def read(self, body: Any, request: Request, decoding: Decoding, latency_s: float) -> Completion | str:
        """The completion in an answer, or one line that says why there is none. Raises InputError as `prompt`
        does.
        """
        choice = first_choice(body, "text", str)
        if choice is None:
            return "the answer holds no completion"
        reason = choice.get("finish_reason")
        if reason in BROKEN_OFF:
            return f"the server broke off (finish_reason {reason})"
        prompt = self.prompt(request, decoding)
        ids, logprobs = _generated(choice)
        counted = token_count(body.get("usage"), "completion_tokens")
        if ids is not None and (counted or 0) > len(ids):
            ids = None  # llama.cpp leaves out tokens that hold a part of a character
        made = counted if ids is None else len(ids)
        finish = finish_reason(reason, made, prompt.most)
        self._prompts.pop(request.instance_id, None)
        if ids is None:
            return self._of_text(choice, request, prompt, finish, made, latency_s)
        return completion_of_tokens(
            self._tokenizer,
            ids,
            logprobs,
            instance_id=request.instance_id,
            prompt_tokens=len(prompt.ids),
            opened=prompt.opened,
            ended=finish == "stop" and bool(ids) and ids[-1] in self._ends,
            finish_reason=finish,
            latency_s=latency_s,
        )

    def _of_text(
        self,
        choice: dict[str, Any],
        request: Request,
        prompt: Prompt,
        finish: Literal["stop", "length"],
        made: int | None,
        latency_s: float,
    ) -> Completion:
        text, thinking = split_thinking(choice["text"], prompt.opened)
        return Completion(
            instance_id=request.instance_id,
            text=text,
            finish_reason=finish,
            prompt_tokens=len(prompt.ids),
            completion_tokens=made,
            latency_s=round(latency_s, 3),
            thinking=thinking,
            tokens=align_tokens(text, _spelt(choice.get("logprobs"))),
        )


def settings_that_stay(settings: Any) -> list[str]:
    """The names among a model's generation settings that transformers would apply whatever a request says."""
    given = settings if isinstance(settings, dict) else {}
    kept = {key for key, value in given.items() if value not in (None, [], {}, False)}
    return sorted(kept - _NEUTRAL.keys() - _HARMLESS)


def _generated(choice: dict[str, Any]) -> tuple[list[int] | None, list[float] | None]:
    """The generated ids and their log-probabilities, where the engine gives them."""
    given = choice.get("logprobs")
    given = given if isinstance(given, dict) else {}
    entries = given.get("content")
    ids: Any = choice.get("token_ids")
    logprobs: Any = given.get("token_logprobs")
    if isinstance(entries, list) and all(isinstance(one, dict) for one in entries):
        ids, logprobs = [one.get("id") for one in entries], [one.get("logprob") for one in entries]
    if not isinstance(ids, list) or not all(type(one) is int and one >= 0 for one in ids):
        return None, None
    known = _checked(logprobs)
    return ids, known if known is not None and len(known) == len(ids) else None


def _checked(logprobs: Any) -> list[float] | None:
    if not isinstance(logprobs, list) or not all(isinstance(one, int | float) for one in logprobs):
        return None
    return [*map(float, logprobs)] if all(-math.inf < one <= _HIGHEST_LOGPROB for one in logprobs) else None


def _spelt(given: Any) -> list[tuple[bytes, float]] | None:
    """The text of each token and its log-probability, as older servers give them."""
    tokens, logprobs = (
        (given.get("tokens"), _checked(given.get("token_logprobs")))
        if isinstance(given, dict)
        else (None, None)
    )
    if not isinstance(tokens, list) or logprobs is None or len(tokens) != len(logprobs):
        return None
    return [
        (str(token).encode(errors="replace"), value) for token, value in zip(tokens, logprobs, strict=True)
    ]
