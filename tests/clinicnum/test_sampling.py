"""Drawn tokens: as likely as softmax at a temperature says, and the same whatever runs beside them."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import pytest
import torch
from scipy.stats import chisquare

from clinicnum.errors import InputError
from clinicnum.inference.client_interface import Completion, Decoding, check_sampling
from clinicnum.inference.local import LocalClient, sampling
from clinicnum.inference.local.sampling import choose, gumbel_noise
from clinicnum.inference.openai.request_body import Dialect
from clinicnum.inference.runner import run_identity
from tests.clinicnum import tiny_models
from tests.clinicnum.tiny_models import client, request, requests

DRAWN = Decoding(max_new_tokens=12, temperature=0.9, seed=5)
LOGITS = [2.0, 0.0, -1.0, 1.5, -3.0, 1.0]
UNLIKELY = 1e-3
"""A p-value below this says that the draws have other probabilities; seeds are fixed, so it is no chance."""
PUBLISHED = (
    *(6457827717110365317, 3203168211198807973, 9817491932198370423),
    *(4593380528125082431, 16408922859458223821),
)
"""First numbers of SplitMix64 from 1234567: Rosetta Code, "Pseudo-random numbers/Splitmix64"."""


def test_the_noise_is_that_of_a_published_generator() -> None:
    expected = [-math.log(-math.log(((number >> 12) + 0.5) / 2**52)) for number in PUBLISHED]
    noise = gumbel_noise(torch.tensor([-1, 1234567]), 5)
    assert noise[1].tolist() == pytest.approx(expected, abs=1e-12)
    many = gumbel_noise(torch.tensor([3]), 1_000_000)
    assert bool(many.isfinite().all())
    assert float(many.mean()) == pytest.approx(0.5772, abs=0.005)  # Euler's constant


@pytest.mark.parametrize("temperature", [0.3, 1.0, 1.7])
@pytest.mark.parametrize("along", ["seeds", "places"])
def test_tokens_are_drawn_with_the_probabilities_of_softmax(temperature: float, along: str) -> None:
    n = 20_000
    places = [(i, 7) if along == "seeds" else (7, i) for i in range(n)]
    chosen, logprobs = choose(torch.tensor([LOGITS]).expand(n, -1), places, temperature)
    expected = (torch.tensor(LOGITS, dtype=torch.float64) / temperature).softmax(0) * n
    seen = Counter(chosen)
    assert chisquare([seen[i] for i in range(len(LOGITS))], expected.tolist()).pvalue > UNLIKELY
    at_one = torch.tensor(LOGITS).log_softmax(0)
    assert logprobs[:50] == pytest.approx([float(at_one[token]) for token in chosen[:50]], abs=1e-5)


def test_draws_that_follow_each_other_have_nothing_to_do_with_each_other() -> None:
    """Pairs of neighbouring places, and of equal places of neighbouring seeds."""
    flat = torch.zeros(20_000, 4)
    for places in ([(i // 2, i % 2) for i in range(20_000)], [(i, i // 2) for i in range(20_000)]):
        chosen, _ = choose(flat, places, 1.0)
        pairs = Counter(zip(chosen[::2], chosen[1::2], strict=True))
        assert len(pairs) == 16
        assert chisquare([*pairs.values()]).pvalue > UNLIKELY


def test_a_row_is_drawn_alike_in_any_company(monkeypatch: pytest.MonkeyPatch) -> None:
    logits = torch.randn(9, 50, generator=torch.Generator().manual_seed(0))
    places = [(i, 3 * i) for i in range(9)]
    together = choose(logits, places, 1.0)
    monkeypatch.setattr(sampling, "_CELLS", 100)
    apart = choose(logits, places, 1.0)
    assert apart == together
    assert choose(logits[4:5], places[4:5], 1.0)[0] == together[0][4:5]
    assert choose(logits, places, 0.0)[0] == logits.argmax(dim=-1).tolist()


def test_a_seed_follows_from_seed_sample_and_instance_alone() -> None:
    seeds = [
        Decoding(temperature=1.0, seed=seed, sample=sample).seed_of(name)
        for seed in (0, 1)
        for sample in (1, 2, 3)
        for name in ("a", "b")
    ]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 2**31 for seed in seeds)
    assert Decoding(temperature=0.5, sample=2).seed_of("a") == Decoding(temperature=1.0, sample=2).seed_of(
        "a"
    )
    # As it was when the first run was drawn: another number would be another text under the same run_id.
    assert Decoding(temperature=0.7, seed=3, sample=2).seed_of("i1") == 1749645888
    assert Decoding(seed=3).seed_of("i1") == 3


def test_greedy_runs_are_called_as_before_and_drawn_ones_by_what_they_drew() -> None:
    def identity(decoding: Decoding) -> dict[str, object]:
        return run_identity(
            model_fingerprint="m", prompt_ids=["default"], decoding=decoding, benchmark_sha256="b"
        )

    before = identity(Decoding(max_new_tokens=64, seed=3))
    assert before["decoding"] == {"max_new_tokens": 64, "seed": 3, "method": "greedy"}
    assert before["run_id"] == "764654d34be1088d"
    assert identity(Decoding(template_arguments={"a": 1}))["run_id"] == "4da053c2f309c67c"
    drawn = [
        Decoding(temperature=temperature, seed=seed, sample=sample)
        for temperature in (0.5, 0.6)
        for seed in (0, 1)
        for sample in (1, 2)
    ]
    assert len({str(identity(one)["run_id"]) for one in drawn}) == len(drawn)
    assert identity(drawn[1])["decoding"] == {
        **{"max_new_tokens": 256, "seed": 0, "method": "sampling", "temperature": 0.5, "sample": 2}
    }


@pytest.mark.parametrize("temperature", [-1.0, 0.001, 2.5, math.nan, math.inf])
def test_a_temperature_that_engines_do_not_take_is_refused(temperature: float) -> None:
    with pytest.raises(InputError, match=r"^temperature .*: expected 0, or a number from 0\.01 to 2\.0$"):
        check_sampling(temperature, 1)


def test_equal_samples_are_refused() -> None:
    with pytest.raises(InputError, match="3 samples at temperature 0 would all be equal"):
        check_sampling(0.0, 3)
    check_sampling(0.0, 1)
    check_sampling(0.7, 3)


def _texts(completions: Iterable[Completion]) -> dict[str, tuple[str, int | None]]:
    return {one.instance_id: (one.text, one.completion_tokens) for one in completions}


def _of(made: LocalClient) -> dict[str, tuple[str, int | None]]:
    return _texts(made.complete(requests(), decoding=DRAWN))


@pytest.mark.parametrize("architecture", ["llama", "mamba"])
def test_a_text_is_the_same_in_any_batch_and_order(
    architecture: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the engine, and by plain `generate`."""
    together = _of(client(architecture))
    assert len({text for text, _ in together.values()}) == len(together)
    assert _of(client(architecture, batch_tokens=700)) == together
    alone = client(architecture, batch_tokens=1)
    one_by_one = [next(alone.complete([one], decoding=DRAWN)) for one in reversed(requests())]
    assert _texts(one_by_one) == together


def test_another_seed_or_sample_is_another_text() -> None:
    asked = requests()[:3]
    made = client("llama")
    drawn = [
        {one.text for one in made.complete(asked, decoding=decoding)}
        for decoding in (DRAWN, replace(DRAWN, seed=6), replace(DRAWN, sample=2), Decoding(max_new_tokens=12))
    ]
    assert len(set.union(*drawn)) == len(drawn) * len(asked)


def test_the_engine_and_plain_generate_draw_the_same() -> None:
    by_generate = client("llama")
    by_generate._objection = "a test"
    assert _of(by_generate) == _of(client("llama"))


def test_out_of_memory_in_the_midst_of_writing_changes_no_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.clinicnum.test_inference_local_memory import scarce

    together = _of(client("llama"))
    made = client("llama")
    scarce(monkeypatch, made.model, 3, from_call=9)
    assert _of(made) == together


def test_log_probabilities_are_those_at_temperature_1_of_what_was_drawn() -> None:
    one = request("one", "A question that stands alone.")
    for architecture in ("llama", "mamba"):
        done = next(client(architecture).complete([one], decoding=DRAWN))
        tokenizer = tiny_models.tokenizer()
        prompt = tokenizer(one.messages[0]["content"] + "\n")["input_ids"]
        tokens = done.tokens or ()
        kept = _drawn_ids(architecture, one.instance_id, prompt)
        with torch.inference_mode():
            logits = tiny_models.model(architecture)(torch.tensor([prompt + kept])).logits[0]
        scores = logits[len(prompt) - 1 : -1].log_softmax(dim=-1)
        expected = [float(scores[i, token]) for i, token in enumerate(kept)]
        assert [token.logprob for token in tokens] == pytest.approx(expected, abs=1e-3)


def _drawn_ids(architecture: str, name: str, prompt: list[int]) -> list[int]:
    """What is drawn step by step from full forward passes, without any cache."""
    written: list[int] = []
    while len(written) < DRAWN.max_new_tokens and written[-1:] != [256]:
        with torch.inference_mode():
            logits = tiny_models.model(architecture)(torch.tensor([prompt + written])).logits[0, -1:]
        place = (DRAWN.seed_of(name), len(written))
        written += choose(logits, [place], DRAWN.temperature)[0]
    return written


def test_servers_are_sent_temperature_and_the_seed_of_the_instance() -> None:
    asked = requests()[0]
    sent = Dialect().payload(asked, model="m", decoding=DRAWN)
    assert (sent["temperature"], sent["seed"]) == (0.9, DRAWN.seed_of(asked.instance_id))
    assert (sent["top_p"], sent["top_k"], sent["min_p"]) == (1, -1, 0)
    dialect = Dialect()
    assert dialect.learn(422, "Unexpected fields in the request: {'top_k', 'min_p'}", sent)
    again = dialect.payload(asked, model="m", decoding=DRAWN)
    assert sent.keys() - again.keys() == {"top_k", "min_p"}
