"""Prompts and texts at the edges: thinking, special tokens, no chat template."""

from typing import Any

from clinicnum.inference.client_interface import Completion, Decoding
from clinicnum.inference.local.batch_planning import Row
from clinicnum.inference.local.continuous_batching import Finished
from clinicnum.inference.local.detokenize import completion, decode_with_ends
from clinicnum.inference.local.prompt_tokens import chat_text
from clinicnum.parsing.thinking import ends_open
from tests.clinicnum import tiny_models
from tests.clinicnum.tiny_models import client, request

END = 256


def _completed(text: str, *, opened: bool = False, stop: bool = True, tokenizer: Any = None) -> Completion:
    """As if the model had written `text`; the logprob of token i is -i."""
    tokenizer = tokenizer or tiny_models.tokenizer()
    ids = tokenizer(text)["input_ids"] + ([END] if stop else [])
    row = Row(
        "i", [1, 2, 3], 500, opened=opened, generated=ids, logprobs=[-float(i) for i in range(len(ids))]
    )
    row.entered = 0.0
    return completion(Finished(row, "stop" if stop else "length", 1.5), tokenizer)


def test_text_without_thinking() -> None:
    done = _completed("42 °")
    assert (done.text, done.thinking, done.finish_reason, done.latency_s) == ("42 °", None, "stop", 1.5)
    assert [(token.end, token.logprob) for token in done.tokens or ()] == [
        (1, 0.0),
        (2, -1.0),
        (3, -2.0),
        (3, -3.0),
        (4, -4.0),
        (4, -5.0),
    ]


def test_thinking_is_kept_apart_with_its_tokens() -> None:
    done = _completed("<think>6 x 7</think>\n\n42")
    assert (done.text, done.thinking) == ("42", "6 x 7")
    # 5 bytes of the opening tag... the answer's two bytes are tokens 22 and 23, the end token is 24.
    assert [(token.end, token.logprob) for token in done.tokens or ()] == [(1, -22.0), (2, -23.0), (2, -24.0)]
    assert done.completion_tokens == 25


def test_an_answer_that_begins_with_a_wide_character_keeps_all_its_bytes() -> None:
    done = _completed("<think>a</think>°C")
    assert [(token.end, token.logprob) for token in done.tokens or ()] == [
        (0, -16.0),
        (1, -17.0),
        (2, -18.0),
        (2, -19.0),
    ]


def test_thinking_that_the_prompt_opened() -> None:
    assert _completed("6 x 7</think>42", opened=True).thinking == "6 x 7"
    cut = _completed("6 x 7 is", opened=True, stop=False)
    assert (cut.text, cut.thinking, cut.finish_reason, cut.tokens) == ("", "6 x 7 is", "length", ())


def test_thinking_that_never_ends() -> None:
    done = _completed("<think>and so on", stop=False)
    assert (done.text, done.thinking, done.tokens) == ("", "and so on", ())


def test_tags_that_are_special_tokens_are_seen() -> None:
    tokenizer = tiny_models.new_tokenizer()
    tokenizer.add_special_tokens({"additional_special_tokens": ["<think>", "</think>", "<tool>"]})
    assert decode_with_ends(tokenizer, tokenizer("a<tool>b</think>c")["input_ids"]) == (
        "ab</think>c",
        [1, 1, 2, 10, 11],
    )
    done = _completed("<think>why</think>42", tokenizer=tokenizer)
    assert (done.text, done.thinking) == ("42", "why")


def test_a_template_that_opens_the_block_is_noticed() -> None:
    assert ends_open("<|im_start|>assistant\n<think>\n")
    assert ends_open("[THINK]")
    assert not ends_open("<|im_start|>assistant\n<think>\n\n</think>\n\n")


def test_an_opened_block_goes_from_template_to_completion() -> None:
    """A real template and a real model, which goes on within the block and never closes it."""
    made = client("llama")
    made.tokenizer.chat_template = "{{ messages[0]['content'] }}<think>"
    try:
        done = next(made.complete([request("i", "How many?")], decoding=Decoding(max_new_tokens=5)))
    finally:
        made.tokenizer.chat_template = None
    assert done.text == ""
    assert done.thinking


def test_a_model_without_chat_template_reads_the_messages_as_they_are() -> None:
    assert chat_text(tiny_models.tokenizer(), request("i", "How many?")) == "How many?\n"
