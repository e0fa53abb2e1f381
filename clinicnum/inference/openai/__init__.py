"""The client for OpenAI-compatible servers: vLLM, SGLang, llama.cpp, transformers, near or far."""

from clinicnum.inference.openai.server_address import is_local
from clinicnum.optional_dependencies import explain_missing

with explain_missing():
    from clinicnum.inference.openai.client import OpenAIClient

__all__ = ["OpenAIClient", "is_local"]
