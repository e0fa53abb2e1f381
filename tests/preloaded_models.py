"""Imported once by the process that is forked for commands that run or serve a model."""

import accelerate  # noqa: F401
import torch.distributed.run  # noqa: F401
import transformers.cli.serving.chat_completion
import transformers.cli.serving.completion
import transformers.cli.transformers
import transformers.integrations.hub_kernels
import transformers.models.llama.modeling_llama  # noqa: F401
from transformers import AutoModelForCausalLM, AutoTokenizer  # noqa: F401
