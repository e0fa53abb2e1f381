"""The annotation tool Potato (`potato-annotation`), for comparison: the same texts with eight radio labels.

For an item its own page (`static/annotation.js` of 2.12.1) sends `GET /annotate` (the page with the item),
`POST /updateinstance` (the label), and `POST /annotate` with `next_instance` and `X-Potato-Navigation` (move
on). Only these three are sent here; the page's other requests (spans, tracking, scripts and styles) are left
out.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from clinicnum.annotations.study_inputs import Material
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.scripts.dev.load_test.browser_connection import Connection
from clinicnum.scripts.dev.load_test.http_annotator import Refused

SCHEME = "cause"
INSTANCE = re.compile(rb'id="instance_id"[^>]*value="([^"]+)"')


def write_task(folder: Path, material: Material, *, overlap: int) -> Path:
    """Write the task's configuration and data; returns the path of the configuration."""
    asked = {one.instance_id: f"{one.context}\n{one.question}" for one in material.instances}
    lines = [
        {"id": one.generation_id, "text": f"{asked[one.instance_id]}\n{one.text}"}
        for one in material.generations()
    ]
    (folder / "items.json").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    config = {
        "annotation_task_name": "made up",
        "task_dir": str(folder),
        "output_annotation_dir": str(folder / "out"),
        "output_annotation_format": "jsonl",
        "data_files": ["items.json"],
        "item_properties": {"id_key": "id", "text_key": "text"},
        "user_config": {"allow_all_users": True, "users": []},
        "num_annotators_per_item": overlap,
        "annotation_schemes": [
            {
                "annotation_type": "radio",
                "name": SCHEME,
                "description": "Why is the answer wrong?",
                "labels": labels(),
            }
        ],
        "site_dir": "default",
    }
    path = folder / "config.yaml"
    path.write_text(json.dumps(config, indent=1), encoding="utf-8")  # JSON is YAML
    return path


def labels() -> list[str]:
    """The first eight classes of our taxonomy."""
    return [one.code for one in load_taxonomy().classes][:8]


@dataclass
class PotatoAnnotator:
    """One annotator who uses Potato in a browser. Every action raises Refused if Potato's response is an
    error.
    """

    connection: Connection
    name: str
    label: str
    item: str | None = None
    acknowledged: list[tuple[str, int]] = field(default_factory=list)

    def register(self, password: str) -> None:
        """Create the account, which logs in."""
        answer = self.connection.post_form("/register", {"email": self.name, "pass": password})
        if answer.status not in (200, 302):
            raise Refused(f"register {self.name}: {answer.status}")

    def load(self) -> None:
        """Load the page with the item."""
        answer = self.connection.get("/annotate")
        found = INSTANCE.search(answer.body)
        if answer.status != 200 or found is None:
            raise Refused(f"load: {answer.status}, no item in the page")
        self.item = found[1].decode()

    def judge(self) -> None:
        """Save the label."""
        assert self.item is not None
        body = {
            "instance_id": self.item,
            "annotations": {f"{SCHEME}:{self.label}": self.label},
            "cleared_schemas": [],
            "span_annotations": [],
        }
        answer = self.connection.post_json("/updateinstance", body)
        if answer.status != 200 or answer.json()["status"] != "success":
            raise Refused(f"save: {answer.status} {answer.body[:200]!r}")
        self.acknowledged.append((self.item, 1))

    def submit(self) -> None:
        """Move on to the next item."""
        body = {"action": "next_instance", "instance_id": self.item}
        answer = self.connection.post_json("/annotate", body, {"x-potato-navigation": "1"})
        if answer.status != 200:
            raise Refused(f"next: {answer.status} {answer.body[:200]!r}")


def saved(folder: Path, annotators: Sequence[PotatoAnnotator]) -> tuple[int, int]:
    """(labels acknowledged, those missing in the annotators' files), after the server has ended."""
    acknowledged = lost = 0
    for one in annotators:
        state = json.loads((folder / "out" / one.name / "user_state.json").read_text(encoding="utf-8"))
        kept = {
            entry[0] if isinstance(entry, list) else entry for entry in state["instance_id_to_label_to_value"]
        }
        acknowledged += len(one.acknowledged)
        lost += sum(item not in kept for item, _ in one.acknowledged)
    return acknowledged, lost
