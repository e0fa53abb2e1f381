"""Items for an imported benchmark in which every text is hostile: one being written, one in review."""

from clinicnum.annotations.curation.drafted_item import ItemKind, content_from
from clinicnum.db.engine import writing
from clinicnum.db.work.benchmarks.benchmark_storage import instance_key, store_benchmark
from clinicnum.db.work.drafts import drafts, item_drafts
from clinicnum.db.work.review import review_rounds
from tests.annotations.imported_items import CHOICE
from tests.e2e.hostile_material import House
from tests.e2e.hostile_studies import ANNOTATORS


def add_items(house: House) -> None:
    """An imported question, a faulty counterfactual of it, and a paraphrase that experts are to review."""
    told = {
        "instance_id": f"imported {house.line('instance id of an imported item')}",
        "benchmark_id": f"imported {house.line('id of an imported benchmark')}",
        "context": house.some("context of an imported item"),
        "question": house.some("question of an imported item"),
        "options": (f"one {house.line('option')}", f"two {house.line('option')}"),
        "answer": "A",
    }
    original = CHOICE.model_copy(update=told)
    with writing(house.engine) as session:
        store_benchmark(session, meta={"kind": "benchmark"}, instances=[original])
    row = instance_key(original.benchmark_id, original.instance_id)
    changes: dict[ItemKind, dict[str, str]] = {
        "counterfactual": {
            "context": house.some("changed context"),
            "answer": house.line("gold of an item", most=200),
            "reason": house.some("reason of an item", most=2_000),
        },
        "paraphrase": {"question": f"Put otherwise: {original.question}"},
    }
    for kind, changed in changes.items():
        content = content_from(kind, original, row=row).model_copy(update=changed)
        with writing(house.engine) as session:
            made = drafts.begin(
                session,
                author=house.ids["cur"],
                content=content.model_dump(mode="json"),
                note=house.some("note of an item draft", most=2_000),
                kind="item",
            )
        house.item_drafts.append(made)
    with writing(house.engine) as session:
        name, version = item_drafts.submit_item(session, draft_id=made, revision=1, actor=house.ids["cur"])
    with writing(house.engine) as session:
        house.rounds.append(
            review_rounds.open_round(
                session, template_id=name, version=version, experts=ANNOTATORS, actor=house.ids["cur"]
            )
        )
