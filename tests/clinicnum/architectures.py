"""Tiny configurations of many architectures: attention of all kinds, experts, recurrent states, hybrids."""

from typing import Any

from tests.clinicnum.tiny_models import ARCHITECTURES, VOCABULARY

_SIZES = ARCHITECTURES["llama"]
_STATE = ARCHITECTURES["mamba"]
_ENDS = {"eos_token_id": 256, "bos_token_id": 256, "pad_token_id": 256}
_EXPERTS = {"num_local_experts": 4, "num_experts_per_tok": 2}
_MANY_EXPERTS = {
    "num_experts": 4,
    "n_routed_experts": 4,
    "n_shared_experts": 1,
    "num_experts_per_tok": 2,
    "moe_intermediate_size": 16,
    "n_group": 1,
    "topk_group": 1,
}
_SSM = {
    "mamba_n_heads": 4,
    "mamba_n_groups": 1,
    "mamba_d_state": 8,
    "mamba_d_conv": 4,
    "mamba_chunk_size": 16,
}
_WINDOW = {"sliding_window": 16}
_LATENT = {
    "kv_lora_rank": 16,
    "q_lora_rank": 16,
    "qk_rope_head_dim": 8,
    "qk_nope_head_dim": 8,
    "v_head_dim": 8,
    "first_k_dense_replace": 1,
    "num_key_value_heads": 4,
}
_DELTA = {
    "linear_num_value_heads": 4,
    "linear_num_key_heads": 2,
    "linear_key_head_dim": 8,
    "linear_value_head_dim": 8,
    "linear_conv_kernel_dim": 4,
    "shared_expert_intermediate_size": 16,
    "decoder_sparse_step": 1,
}
_VISION = {
    "hidden_size": 16,
    "intermediate_size": 16,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "image_size": 28,
    "patch_size": 14,
}

BY_ENGINE: dict[str, dict[str, Any]] = {
    **{name: _SIZES for name in ("llama", "qwen2", "qwen3", "gemma", "phi3", "smollm3", "olmo2", "granite")},
    **{name: _SIZES for name in ("glm4", "stablelm", "gpt_neox", "seed_oss")},
    **{name: _SIZES | _WINDOW for name in ("gemma2", "mistral", "cohere2", "exaone4")},
    "gemma3_text": ARCHITECTURES["gemma3_text"],
    "gpt2": ARCHITECTURES["gpt2"],
    "bloom": {
        "vocab_size": VOCABULARY,
        "hidden_size": 32,
        "n_layer": 3,
        "n_head": 4,
        "initializer_range": 0.4,
    }
    | _ENDS,
    "qwen3_moe": _SIZES | _MANY_EXPERTS | {"decoder_sparse_step": 1},
    "mixtral": _SIZES | _EXPERTS,
    "gpt_oss": _SIZES | _EXPERTS | _WINDOW | {"rope_parameters": {"rope_type": "default", "rope_theta": 1e4}},
    "deepseek_v3": _SIZES | _MANY_EXPERTS | _LATENT,
}
"""Those that the own engine runs."""
BY_GENERATE: dict[str, dict[str, Any]] = {
    "mamba": _STATE,
    "falcon_mamba": _STATE,
    "mamba2": _STATE | {"num_heads": 8, "head_dim": 8, "n_groups": 1, "expand": 2, "chunk_size": 16},
    "falcon_h1": _SIZES | _SSM | {"mamba_d_ssm": 32, "mamba_d_head": 8, "mamba_expand": 1},
    "jamba": _SIZES
    | {
        "attn_layer_period": 2,
        "attn_layer_offset": 1,
        "expert_layer_period": 2,
        "expert_layer_offset": 1,
        "num_experts": 2,
        "num_experts_per_tok": 1,
        "mamba_d_state": 8,
        "mamba_d_conv": 4,
        "mamba_expand": 1,
        "mamba_dt_rank": 4,
    },
    "qwen3_next": _SIZES | _MANY_EXPERTS | _DELTA,
    "lfm2": _SIZES
    | {
        "layer_types": ["conv", "full_attention", "conv", "full_attention"],
        "conv_L_cache": 3,
        "block_auto_adjust_ff_dim": False,
    },
    "bamba": _SIZES | _SSM | {"attn_layer_indices": [1, 3], "mamba_d_head": 16, "mamba_expand": 2},
    "granitemoehybrid": _SIZES
    | _SSM
    | {
        "layer_types": ["mamba", "attention", "mamba", "attention"],
        "num_local_experts": 2,
        "num_experts_per_tok": 1,
        "shared_intermediate_size": 16,
        "mamba_d_head": 16,
        "mamba_expand": 2,
    },
    "recurrent_gemma": _SIZES
    | {
        "lru_width": 32,
        "attention_window_size": 16,
        "block_types": ["recurrent", "attention"],
        "num_hidden_layers": 2,
    },
    "zamba2": _SIZES
    | {
        "num_hidden_layers": 2,
        "layers_block_type": ["mamba", "hybrid"],
        "mamba_d_state": 8,
        "mamba_d_conv": 4,
        "mamba_expand": 2,
        "n_mamba_heads": 4,
        "mamba_headdim": 16,
        "mamba_ngroups": 1,
        "chunk_size": 16,
        "num_mem_blocks": 1,
        "adapter_rank": 4,
        "attention_hidden_size": 64,
        "attention_head_dim": 16,
    },
    "gemma3n_text": _SIZES
    | _WINDOW
    | {
        "vocab_size_per_layer_input": VOCABULARY,
        "hidden_size_per_layer_input": 8,
        "laurel_rank": 8,
        "num_kv_shared_layers": 1,
        "layer_types": ["sliding_attention", "full_attention"] * 2,
        "altup_num_inputs": 2,
        "activation_sparsity_pattern": [0.0] * 4,
    },
}
"""Those that run by the model's own `generate`."""
VISION_LANGUAGE = {
    "text_config": ARCHITECTURES["gemma3_text"],
    "vision_config": _VISION | {"model_type": "siglip_vision_model"},
    "mm_tokens_per_image": 4,
    "image_token_index": 299,
} | _ENDS
"""A Gemma 3 that also takes images, used for text alone."""
