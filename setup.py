"""The description of the package where it is published: the beginning of the README, and how it is installed.

Pictures and links of the README lead to files of the checkout, which is nowhere on the web. All else of the
package is declared in pyproject.toml.
"""

import re
from pathlib import Path

from setuptools import setup

INSTALL = """## Two commands

```sh
pip install "clinicnum[all]"
clinicnum demo
```

`pip install clinicnum` alone scores, lints and computes agreement. `[local]` runs models on this machine,
`[openai]` models behind a server, `[report]` makes reports and workbooks, and `[ui]` is the database with its
pages.
"""
DEMO = re.compile(r"^The demo's patients.*\n", re.MULTILINE)


def description(readme: str) -> str:
    """The README up to its commands, without pictures; then how to install the package and try it."""
    begin, found, rest = readme.partition("## Two commands\n")
    made_up = DEMO.search(rest)
    if not found or made_up is None:
        raise ValueError(
            "README.md: no section 'Two commands' with a line that begins \"The demo's patients\""
        )
    text = re.sub(r"<img [^>]*>\n", "", begin)
    return re.sub(r"\n{3,}", "\n\n", f"{text}{INSTALL}\n{made_up[0]}")


if __name__ == "__main__":
    readme = Path(__file__).with_name("README.md").read_text(encoding="utf-8")
    setup(long_description=description(readme), long_description_content_type="text/markdown")
