"""Greedy text of many architectures, with penalties stored beside the weights, equals plain greedy text."""

import os
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from clinicnum.errors import InputError
from clinicnum.inference.client_interface import Decoding
from clinicnum.inference.local import LocalClient
from clinicnum.inference.local.loading import LoadedModel
from tests.clinicnum.architectures import BY_ENGINE, BY_GENERATE, VISION_LANGUAGE
from tests.clinicnum.tiny_models import VOCABULARY, new_tokenizer, requests, tokenizer

NEW = int(os.environ.get("CLINICNUM_NEW_TOKENS", "20"))
DEVICE = os.environ.get("CLINICNUM_DEVICE", "cpu")
PENALTIES = {"repetition_penalty": 1.7, "no_repeat_ngram_size": 2, "min_new_tokens": 12, "temperature": 0.3}
BFLOAT16_ROUNDING = 0.25
"""Tokens whose log-probabilities are as near as this may change places in bfloat16; the texts part there."""
FLOAT32_ROUNDING = 1e-5
"""The same in float32 on a GPU, whose sums depend on the size of a batch; on a CPU the texts are equal."""
ALL = BY_ENGINE | BY_GENERATE | {"gemma3": VISION_LANGUAGE}
IN_BFLOAT16 = sorted(ALL) if NEW > 20 else ["deepseek_v3", "falcon_h1", "gpt_oss", "mamba2", "mistral"]
CASES = [(each, "float32") for each in sorted(ALL)] + [(each, "bfloat16") for each in IN_BFLOAT16]


def _letters() -> Any:
    """The tokenizer of the tiny models, but that every id is one character of its own when it is read."""
    from tokenizers import decoders

    made = new_tokenizer()
    made.add_tokens([chr(0x4E00 + i) for i in range(VOCABULARY - len(made))])
    made.backend_tokenizer.decoder = decoders.Fuse()
    return made


LETTERS = _letters()


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> Iterator[None]:
    """Models this small lose more by waiting for a second thread than it gives."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def _model(architecture: str, dtype: str) -> Any:
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    torch.manual_seed(0)
    config = AutoConfig.for_model(architecture, **ALL[architecture])
    return AutoModelForCausalLM.from_config(config, dtype=getattr(torch, dtype)).eval().to(DEVICE)


def _greedy(model: Any, ids: list[int]) -> tuple[list[int], list[float]]:
    """The tokens that `generate` gives one prompt alone without any setting, and their log-probabilities."""
    import torch
    from transformers import GenerationConfig

    model.generation_config = GenerationConfig()
    bare = GenerationConfig(max_new_tokens=NEW, do_sample=False, eos_token_id=256, pad_token_id=256)
    given = torch.tensor([ids], device=DEVICE)
    made = model.generate(
        input_ids=given,
        attention_mask=torch.ones_like(given),
        generation_config=bare,
        return_dict_in_generate=True,
        output_logits=True,
    )
    logprobs = [float(one[0].float().max() - one[0].float().logsumexp(-1)) for one in made.logits]
    return made.sequences[0, len(ids) :].tolist(), logprobs


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("architecture", "dtype"), CASES)
def test_penalties_stored_with_a_model_change_neither_its_texts_nor_their_probabilities(
    architecture: str, dtype: str
) -> None:
    from transformers import GenerationConfig

    asked = requests()[:3]
    texts = ["\n\n".join(message["content"] for message in one.messages) + "\n" for one in asked]
    model = _model(architecture, dtype)
    expected = [_greedy(model, ids) for ids in LETTERS(texts)["input_ids"]]
    model.generation_config = GenerationConfig(**PENALTIES, do_sample=True, eos_token_id=256)
    alone = None if dtype == "float32" else 1  # a batch rounds in bfloat16 as one row alone does not
    client = LocalClient(LoadedModel(model, LETTERS, DEVICE, "", dtype, "", None), batch_tokens=alone)
    about = client.describe()
    assert about["engine"].startswith("transformers generate") == (architecture in BY_GENERATE)
    assert about["generation_settings_ignored"] == PENALTIES | {"do_sample": True}
    done = {one.instance_id: one for one in client.complete(asked, decoding=Decoding(max_new_tokens=NEW))}
    for one, (ids, logprobs) in zip(asked, expected, strict=True):
        completion = done[one.instance_id]
        found = [token.logprob for token in completion.tokens or ()]
        text = LETTERS.decode(ids, skip_special_tokens=True)
        pairs = zip(completion.text, text, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        if dtype == "float32":
            assert found[:same] == pytest.approx(logprobs[:same], abs=1e-3)
            if DEVICE == "cpu" or same == len(text):
                assert completion.text == text
            else:
                assert found[same] == pytest.approx(logprobs[same], abs=FLOAT32_ROUNDING)
        else:
            assert found[: same + 1] == pytest.approx(logprobs[: same + 1], abs=BFLOAT16_ROUNDING)


def test_an_encoder_decoder_is_refused_in_one_line(tmp_path: Path) -> None:
    from transformers import T5Config, T5ForConditionalGeneration

    config = T5Config(vocab_size=VOCABULARY, d_model=16, d_kv=8, d_ff=16, num_layers=1, num_heads=2)
    T5ForConditionalGeneration(config).save_pretrained(tmp_path)
    tokenizer().save_pretrained(tmp_path)
    with pytest.raises(InputError, match=r"transformers cannot load it .*T5Config"):
        LocalClient.load(tmp_path)
