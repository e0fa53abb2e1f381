"""Note frames: a user's own notes with the vital signs cut out, to be filled with ours."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Frame:
    """A note without its vital signs."""

    frame_id: str
    """Hash of the text around."""
    before: str
    after: str
