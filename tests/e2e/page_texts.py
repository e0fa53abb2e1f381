"""The texts that a page shows, and which of them are the same in two languages without being data."""

import re

from playwright.sync_api import Page

from clinicnum.ui.components.language import catalogue, forms_of, key_of

LETTERS = re.compile(r"[^\W\d_]{2}")
MATERIAL = ", ".join(
    (
        *("script", "style", "[lang]:not(html)", ".cn-nav strong", "kbd", "code"),
        # question, context, answer, prompt, working and what people wrote
        *(
            ".ab-question",
            ".cn-demand",
            ".ab-context",
            ".ab-text",
            ".cn-long",
            ".ab-reveal ol",
            ".ab-choices",
            "[data-panel='answers'] h3 a",
        ),
        *(
            ".ab-live",
            ".aj-live",
            ".aj-question",
            ".aj-context",
            ".aj-text",
            ".aj-goldbox ol",
            "blockquote",
            "textarea",
            ".cn-said",
        ),
    )
)
"""Where a page shows what it was given."""
COLLECT = """(material) => {
  const found = new Set();
  const add = (text) => { const one = (text || "").replace(/\\s+/g, " ").trim(); if (one) found.add(one); };
  for (const node of document.body.querySelectorAll("*")) {
    if (node.closest(material) || !node.checkVisibility()) continue;
    // Gradio gives a checkbox the value of its choice as title.
    for (const name of ["aria-label", "title", "placeholder"])
      if (name !== "title" || node.type !== "checkbox") add(node.getAttribute(name));
    for (const child of node.childNodes) if (child.nodeType === Node.TEXT_NODE) add(child.nodeValue);
  }
  add(document.title);
  return [...found];
}"""
DATA = re.compile(
    r"clinicnum|six|ann|ben|eve|ada|bob|ivy|cur|rex|root|elsewhere|[a-z]+(?:[._-][a-z0-9_]+)+|[0-9a-f]{8,}|"
    r"(?:\S+ )?(?:°C|bpm|breaths/min|/min|mmHg|%|min|s)|Temp|HR|NOTE|RR|SpO₂|SBP|DBP|"
    r"English|Deutsch|UTC|JSON|CSV|YAML|HTML|Copy table data|Fullscreen|Table actions",
)
"""Names, ids, codes, units, abbreviations and Gradio's own: a text of nothing else is none of a page's."""


def texts_on(page: Page) -> set[str]:
    """The texts and labels that the page shows now, without its material."""
    return set(page.evaluate(COLLECT, MATERIAL))


def same_in_both() -> set[str]:
    """English texts whose translation is the same."""
    return {
        form
        for one in catalogue("de")
        if one.id
        for form in forms_of(one)
        if form in {key_of(one), *(one.id if isinstance(one.id, (tuple, list)) else ())}
    }


def untranslated(english: set[str], german: set[str], known: set[str]) -> list[str]:
    """What stands in both, is not known, and is more than data."""
    found = (text for text in english & german if text.removesuffix(" · clinicnum") not in known)
    return sorted(text for text in found if LETTERS.search(text) and not _is_data(text))


def _is_data(text: str) -> bool:
    """Whether nothing of the text is left without names, ids, codes, units and numbers."""
    return not LETTERS.search(DATA.sub("", text))
