"""The curators' half: templates of a file, drafts, rounds of review, a release, a version retired."""

from typing import Any

from clinicnum.db.engine import reading, writing
from clinicnum.db.work.bank import browse_bank, template_versions
from clinicnum.db.work.drafts import drafts
from clinicnum.db.work.release.releases import ReleaseOptions
from clinicnum.db.work.review import expert_review, review_rounds, review_rounds_for_curators
from clinicnum.templates.parse_template import content_of
from clinicnum.templates.template import Template
from tests.db.publishing import publish
from tests.db.reviewing import HOLDS, close, of_the_bank, right_sheet
from tests.e2e.hostile_items import add_items
from tests.e2e.hostile_material import House
from tests.e2e.hostile_studies import ANNOTATORS

BASES = ("arithmetic.pulse_pressure", "arithmetic.bp_sum", "arithmetic.shock_index")


def fill_bank(house: House) -> None:
    """Templates that can be tried, and all that people write about them."""
    for number, base in enumerate(BASES):
        template = _template(house, base, f"arithmetic.hostile_{number}")
        with writing(house.engine) as session:
            template_versions.add_templates(session, [template])
        house.templates.append((template.id, template.version))
    _draft(house)
    add_items(house)
    _reviewed(house, house.templates[0], over=True)
    _reviewed(house, house.templates[1], over=False)
    for number in range(1, 1 + (house.many + 1) // 2):
        _published(house, f"hostile-{number}")
    extra = [
        _template(house, BASES[2], f"arithmetic.hostile_more_{number}") for number in range(house.many // 8)
    ]
    with writing(house.engine) as session:
        template_versions.add_templates(session, extra)
    for name, version in (house.templates[2], *((one.id, one.version) for one in extra)):
        _retire(house, name, version)


def _retire(house: House, name: str, version: int) -> None:
    with writing(house.engine) as session:
        reason = house.some("reason of a retirement", most=500)
        browse_bank.retire(session, template_id=name, version=version, reason=reason, actor=house.ids["cur"])


def _published(house: House, name: str) -> None:
    with writing(house.engine) as session:
        order = ReleaseOptions(
            name=name,
            notes=house.some("notes of a release", most=5_000),
            include_unreviewed=True,
            licence=house.line("licence", most=100),
            authors=(house.line("author"), house.line("author")),
        )
        publish(session, order, actor=house.ids["cur"])


def _template(house: House, base: str, name: str) -> Template:
    """As an imported file may have it: sound, and hostile in all that is words."""
    template = of_the_bank(base)
    told = {
        "id": name,
        "tags": tuple(house.line("tag") for _ in range(2)),
        "subtype": house.line("subtype of a template"),
        "wording": tuple(f"{one} {_doubled(house.line('wording'))}" for one in template.wording),
        "source": house.line("source"),
        "example": None,
    }
    return Template.model_validate({**template.model_dump(mode="json"), **told})


def _doubled(text: str) -> str:
    """A brace that names no slot is written twice."""
    return text.replace("{", "{{").replace("}", "}}")


def _draft(house: House) -> None:
    """One that is a template but for its words, and some in which everything is a payload."""
    whole = content_of(_template(house, BASES[0], "arithmetic.hostile_draft"))
    for content in (whole, *(_broken(house) for _ in range(1 + house.many // 4))):
        with writing(house.engine) as session:
            note = house.some("note of a draft", most=2_000)
            made = drafts.begin(session, author=house.ids["cur"], content=content, note=note)
        house.drafts.append(made)


def _broken(house: House) -> dict[str, Any]:
    """Few payloads in each field: of what is wrong with a long one the page shows the beginning."""

    def few(name: str, *, line: bool = False) -> str:
        joined = " " if line else "\n"
        return house.dealer.some(f"draft: {name}", 4, most=10_000, joined=joined, line=line).strip()

    words = ("id", "operation", "subtype", "answer_type", "unit", "source", "status", "steps", "decimals")
    return {
        **{name: few(name) for name in words},
        "tags": [few("tags")],
        "wording": [few("wording"), few("wording")],
        "slots": {few("name of a slot", line=True): {"kind": few("kind of a slot")}},
        "givens": {few("name of a given", line=True): {"kind": "number", "label": few("label")}},
        "tree": {"op": few("op"), few("key", line=True): [few("leaf")]},
        few("field", line=True): few("value"),
    }


def _reviewed(house: House, of: tuple[str, int], *, over: bool) -> None:
    """A round: two hand in, the third only begins; over: all hand in, are answered, and it goes back."""
    name, version = of
    with writing(house.engine) as session:
        made = review_rounds.open_round(
            session, template_id=name, version=version, experts=ANNOTATORS, actor=house.ids["cur"]
        )
    house.rounds.append(made)
    for expert in ANNOTATORS:
        comments = {
            about: house.dealer.some("comment of an expert", 100, most=2_000)
            for about in ("clarity", "answerability", "1", "2", "3")
        }
        sheet = right_sheet(house.engine, made, house.ids[expert], comments=comments)
        with writing(house.engine) as session:
            step = expert_review.hand_in if over or expert != "ann" else expert_review.save_sheet
            step(session, user_id=house.ids[expert], round_id=made, sheet=sheet)
    if over:
        _answered(house, made)


def _answered(house: House, made: str) -> None:
    with reading(house.engine) as session:
        remarks = review_rounds_for_curators.load_round(
            session, round_id=made, viewer=house.ids["cur"], trial=HOLDS
        ).remarks
    for one in remarks:
        with writing(house.engine) as session:
            text = house.some("answer to an expert", most=2_000)
            review_rounds.reply(session, round_id=made, comment=one.key, text=text, actor=house.ids["cur"])
    close(
        house.engine,
        made,
        house.ids["cur"],
        accept=False,
        reason=house.some("reason of a return", most=2_000),
    )
