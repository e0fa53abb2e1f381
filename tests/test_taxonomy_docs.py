"""`docs/taxonomy.md`: its file is a taxonomy, its table has every field and every reserved letter."""

import re
from pathlib import Path

from clinicnum.annotations.codebook import codebook, codes_by_step
from clinicnum.annotations.judgement import FIELDS
from clinicnum.annotations.taxonomy import Code, SeverityLevel, Taxonomy, TaxonomyClass, load_taxonomy

TEXT = (Path(__file__).parents[1] / "docs" / "taxonomy.md").read_text(encoding="utf-8")


def test_the_whole_file_is_a_taxonomy_and_uses_every_field(tmp_path: Path) -> None:
    (block,) = re.findall(r"^```yaml\n(.*?)^```", TEXT, flags=re.MULTILINE | re.DOTALL)
    path = tmp_path / "my-taxonomy.yaml"
    path.write_text(block, encoding="utf-8")
    taxonomy = load_taxonomy(path)
    assert taxonomy.codes() == ("made_up", "made_up.made_up_time", "wrong_conclusion")
    assert codes_by_step(taxonomy) == {"read": ("made_up",), "decide": ("wrong_conclusion",)}
    near = {entry.id: entry.near for entry in codebook(taxonomy)}
    assert near["made_up.made_up_time"] == ("wrong_conclusion", "made_up")
    named = {name for kind in (Taxonomy, TaxonomyClass, Code, SeverityLevel) for name in kind.model_fields}
    for name in named - {"level"}:
        assert f"`{name}`" in TEXT.partition("## The fields")[2], name
        assert f"{name}:" in block, name


def test_the_letters_that_a_class_must_leave_alone_are_those_of_the_page() -> None:
    listed = re.search(r"the page uses itself: `([a-z ]+)`", TEXT)
    assert listed is not None
    asked = {option.key for about in FIELDS.values() for option in about.options}
    asked |= {about.key for about in FIELDS.values()}
    assert set(listed[1].split()) == {key for key in asked if key and key.isalpha()} | set("zsqiyjkl")
