"""What handlers of native pages are called with: Gradio's request, as far as they read it."""

from dataclasses import dataclass, field


@dataclass
class Request:
    """A request of a user."""

    username: str
    headers: dict[str, str] = field(default_factory=lambda: {"origin": "https://here"})
    query_params: dict[str, str] = field(default_factory=dict)
