"""Which test runs which block."""

from tests.docs.blocks import Block, all_blocks
from tests.docs.page_runner import script_of, why_not

_FILES, _CONFIGURATIONS = "tests/docs/test_files.py", "tests/docs/test_configurations.py"
_SHELL = "tests/docs/test_shell_blocks.py"
ELSEWHERE = {
    ("ARCHITECTURE.md", "text"): _FILES,
    ("docs/bank.md", "gitattributes"): _CONFIGURATIONS,
    ("docs/custom-fields.md", "yaml"): _FILES,
    ("docs/deploy.md", "apache"): _CONFIGURATIONS,
    ("docs/deploy.md", "ini"): _CONFIGURATIONS,
    ("docs/deploy.md", "nginx"): _CONFIGURATIONS,
    ("docs/imports.md", "csv"): _SHELL,
    ("docs/imports.md", "json"): _SHELL,
    ("docs/item-view.md", "python"): _SHELL,
    ("docs/lint.md", "text"): _FILES,
    ("docs/prompts.md", "yaml"): _FILES,
    ("docs/ratings.md", "yaml"): _SHELL,
    ("docs/scale-out.md", "yaml"): _CONFIGURATIONS,
    ("docs/studies.md", "json"): _FILES,
    ("docs/taxonomy.md", "yaml"): "tests/test_taxonomy_docs.py",
    ("docs/add-a-template.md", "sh"): "tests/test_add_a_template.py",
    ("docs/add-a-template.md", "yaml"): "tests/test_add_a_template.py",
    ("docs/explanation/coefficients.md", "python"): "tests/test_explanation_docs.py",
    ("docs/explanation/coefficients.md", "text"): "tests/test_explanation_docs.py",
    ("docs/explanation/golds.md", "sh"): "tests/test_explanation_docs.py",
    ("docs/explanation/intervals.md", "python"): "tests/test_explanation_docs.py",
    ("docs/explanation/intervals.md", "text"): "tests/test_explanation_docs.py",
    ("docs/gallery.md", "console"): "tests/test_gallery.py",
    ("docs/gallery.md", "console model"): "tests/test_gallery.py",
    ("docs/gallery.md", "csv"): "tests/test_gallery.py",
    ("docs/gallery.md", "json"): "tests/test_gallery.py",
    ("docs/gallery.md", "python"): "tests/test_gallery.py",
    ("docs/gallery.md", "yaml"): "tests/test_gallery.py",
    ("docs/notebook.md", "python"): "tests/test_notebook_docs.py",
    ("docs/tutorials/curator.md", "sh"): "tests/e2e/test_tutorials.py",
    ("docs/tutorials/researcher.md", "sh"): "tests/e2e/test_tutorials.py",
    ("docs/upgrade.md", "sh"): "tests/test_upgrade_docs.py",
}
"""(page, language) -> the test that runs or reads all such blocks of the page."""


def pages_of_shell() -> list[str]:
    """The pages whose shell blocks `test_shell_blocks.py` runs."""
    mine = [one for one in all_blocks() if one.language == "sh" and (one.page, "sh") not in ELSEWHERE]
    return sorted({one.page for one in mine if script_of(one, {})})


def who_runs(block: Block) -> str | None:
    """The test that runs a block, or why its commands are not run; None for one without either."""
    elsewhere = ELSEWHERE.get((block.page, block.language))
    if elsewhere or block.language != "sh":
        return elsewhere
    if script_of(block, {}):
        return "tests/docs/test_shell_blocks.py"
    return "; ".join(sorted({str(why_not(line)) for line in block.lines()})) or None
