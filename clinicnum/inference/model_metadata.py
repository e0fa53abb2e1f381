"""Read metadata of a model from its folder, without loading it: revision and context window."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from clinicnum.inference.model_folder import gguf_file
from clinicnum.io.strict_json import plain_json
from clinicnum.prompt import asks_judged_form
from clinicnum.prompt_file import recorded_prompt
from clinicnum.types import Instance

_COMMIT = re.compile(r"[0-9a-f]{40}")


def folder_revision(folder: Path) -> str | None:
    """The commit at which the folder was downloaded, if the download recorded it.

    Looked for, in turn, in the hub cache's layout (`snapshots/COMMIT`), in what a download to a folder notes
    (`.cache/huggingface/download/config.json.metadata`), and in the config's own `_commit_hash`.
    """
    resolved = folder.resolve()
    noted = resolved / ".cache" / "huggingface" / "download" / "config.json.metadata"
    candidates = [resolved.name if resolved.parent.name == "snapshots" else ""]
    if noted.is_file():
        candidates += noted.read_text(encoding="utf-8", errors="replace").splitlines()[:1]
    candidates.append(str(_config(resolved).get("_commit_hash") or ""))
    return next((text for text in candidates if _COMMIT.fullmatch(text)), None)


def context_window(folder: Path) -> int | None:
    """Number of tokens the model can hold, by its config; None if the config does not say."""
    config = _config(folder)
    for part in (config, config.get("text_config")):
        if isinstance(part, dict) and isinstance(part.get("max_position_embeddings"), int):
            return int(part["max_position_embeddings"])
    return None


def checkpoint_dtype(folder: Path) -> str | None:
    """The number type in which the weights were stored, by the config; None if it does not say."""
    config = _config(folder)
    for part in (config, config.get("text_config")):
        named = (part.get("dtype") or part.get("torch_dtype")) if isinstance(part, dict) else None
        if isinstance(named, str):
            return named.removeprefix("torch.")
    return None


def chat_template(folder: Path) -> str | None:
    """The model's chat template as its folder holds it; None for a folder without one.

    For a GGUF file, whose header holds the template, the tokenizer is loaded. Raises InputError if that
    fails.
    """
    written = folder / "chat_template.jinja"
    if written.is_file():
        return written.read_text(encoding="utf-8", errors="replace")
    if gguf_file(folder):
        from clinicnum.inference.local.loading import load_tokenizer

        found = load_tokenizer(folder).chat_template
    else:
        found = _json_of(folder / "tokenizer_config.json").get("chat_template")
    return found if isinstance(found, str) else None


def generation_settings(folder: Path) -> dict[str, Any]:
    """The settings for generation that are stored beside the weights; empty where there are none."""
    return _json_of(folder / "generation_config.json")


def _config(folder: Path) -> dict[str, Any]:
    return _json_of(folder / "config.json")


def _json_of(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        loaded = plain_json(path.read_bytes())
    except ValueError:
        return {}
    return loaded if isinstance(loaded, dict) else {}


def asks_form(meta: Mapping[str, Any]) -> bool:
    """Whether a run's prompts asked for a form of answer, according to its meta.

    False for imported runs of which it is not recorded that they used our prompts, and for a user's prompt
    that asks for a form other than that scored: the form of their answers is not judged.
    """
    prompt = recorded_prompt(meta)
    unknown = meta.get("client") == "import" and "prompt_hash" not in meta
    return not unknown and (prompt is None or prompt.asks_judged_form)


def asks_strict_form(meta: Mapping[str, Any], instances: Iterable[Instance]) -> bool:
    """Whether a run asked, by its meta, for the form that `strict` judges on any of these instances.

    If not, the run has no strict accuracy.
    """
    return asks_form(meta) and any(map(asks_judged_form, instances))
