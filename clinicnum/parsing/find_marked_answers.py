"""Find marked answers in a generation: JSON, a tag, a box, "the answer is", a heading, or `Result:`."""

import re
from collections.abc import Iterator

from clinicnum.parsing.json_answer import last_json
from clinicnum.parsing.marked_answer import MAX_RAW, Place, is_placeholder

_MAX_PHRASES = 20
_TAGGED = re.compile(
    r"<(?:final[_ ]?)?answer(?:\s(?P<attributes>[^<>]{0,80}))?>(?P<raw>[^<>]{0,400})(?:</|$)", re.IGNORECASE
)
_FINISH = re.compile(r"^(?:Action\s?[0-9]{0,2}:\s?)?Finish\[(?P<raw>[^\[\]\n]{1,200})\]", re.MULTILINE)
"""The action with which an agent ends: "Finish[1969]"."""
_UNIT_NAMED = re.compile(r"\bunits?\s?=\s?[\"']?(?P<unit>[^\"'<>]{1,40})[\"']?", re.IGNORECASE)
_DIGITS_LAST = re.compile(r"[0-9]\s*$")
_BOXED = re.compile(r"\\boxed\s?\{((?:[^{}]|\{(?:[^{}]|\{[^{}]{0,50}\}){0,50}\}){0,200})\}")
_PHRASE = re.compile(
    r"[aA](?<![A-Za-z0-9].)(?i:nswer\b(?:\s(?:to|for|of)\s[^.:\n=]{0,80}?)?[\s*_`\"']{0,6}"
    r"(?:\bis\b|\bwas\b|\bequals\b|\b(?:would|will|should|must) be\b|[=:：])[\s:*_`]{0,10})"
)
_OPTION = re.compile(
    r"\b(?:correct|right|best|final|chosen)\s(?:option|choice)(?:\sletter)?[\s*_`\"']{0,6}(?:\bis\b"
    r"|[:=：])[\s:*_`]{0,10}",
    re.IGNORECASE,
)
_HASHES = re.compile(r"^#{4}\s{1,3}(?=\S{1,40}\s*$)", re.MULTILINE)
_HEADING = re.compile(
    r"^[ \t#*_>\d.]{0,9}(?:the\s)?(?:final\s|correct\s)?(?:answer|result)[ \t#*_.:]{0,6}\n\s{0,9}(?=\S)",
    re.IGNORECASE | re.MULTILINE,
)
_LABEL = re.compile(
    r"^[ \t#*_>-]{0,9}(?:(?:(?:final\s)?results?|ans|答)[*_ \t]{0,4}[.:=：]"
    r"|a[*_ \t]{0,4}[:：])[*_ \t]{0,6}(?=\S)",
    re.IGNORECASE | re.MULTILINE,
)
_CHINESE = re.compile(r"答案[*_ \t]{0,4}(?:应该?是|是|为|選|选|[:：])[:：*_ \t]{0,6}(?=\S)")
_OTHER_LANGUAGES = re.compile(
    r"\b(?:resposta|respuesta|réponse|antwort|risposta|ответ|đáp án|đáp số|svar|odpowiedź|cevap|jawaban)"
    r"(?:\s(?:final|finale|correta|correcta|correcte|richtige|corretta))?[*_ \t]{0,4}[:：][*_ \t]{0,6}(?=\S)"
    r"|\b(?:lösung|solution|solución|soluzione|solução"
    r"|решение)[*_ \t]{0,4}[:：][*_(\s]{0,6}(?=[A-J](?![\w'’]))"
    r"|(?:答え|正解|정답)[*_ \t]{0,4}[:：は]{1,2}[*_ \t]{0,6}(?=\S)",
    re.IGNORECASE,
)
_IS = (
    r"(?:[*_ \t]{0,4}[:：]|\s(?:ist|lautet|wäre|est|es|é|è|sería|serait)\b)[*_ \t]{0,6}"
    r"(?:(?:donc|also|somit|entonces|portanto|quindi)\s)?(?:(?:la|le|el|a|die|der)\s)?"
    r"(?:(?:opción|opcion|letra|alternativa|opzione|lettera|proposition|réponse|option|antwort"
    r"|вариант)\s)?[*_]{0,4}(?=\S)"
)
_RIGHT_ONE = re.compile(
    r"\b(?:(?:richtige|korrekte|beste)\s(?:antwort|option|lösung|aussage)"
    r"|(?:bonne|meilleure)\s(?:réponse|option|proposition)"
    r"|(?:réponse|option|proposition)\s(?:correcte|exacte|juste)"
    r"|(?:respuesta|opción|alternativa)\s(?:correcta|más adecuada)"
    r"|(?:resposta|opção|alternativa)\s(?:correta|certa)|(?:risposta|opzione|alternativa)\s(?:corretta"
    r"|giusta)"
    rf"){_IS}"
    r"|\bправильн\w+\s(?:ответ|вариант)\w*\s?(?:[:：—–-]|является)\s?(?:вариант\s)?(?=\S)",
    re.IGNORECASE,
)
""""The right answer is" and the like in other languages."""
_OPTION_B = re.compile(r"^[ \t*]{0,9}b[*]{0,2}[.:)]", re.IGNORECASE | re.MULTILINE)
_LEAD_UP = 200
"""Characters before a marking phrase that are searched for the beginning of its clause."""
_CLAUSE_WORDS = re.compile(r"\b(?:but|so|however|yet|though|although|thus|therefore|hence)\b", re.IGNORECASE)
_RIGHT_WORDS = (
    "antwort", "lösung", "aussage", "réponse", "respuesta", "resposta", "risposta", "opción", "opção",
    "opzione", "alternativa", "proposition", "option", "ответ", "вариант",
)  # fmt: skip
_SUPPOSED = re.compile(r"\s*(?:if|unless|whether|(?:the\s)?long(?:er)?\s$)", re.IGNORECASE)
"""Hypothetical answers ("if the answer is"), and "the longer answer", which a shorter one sums up."""
_SUPPOSES = re.compile(r"(?:^|[.!?\n]\s*)if\b[^.!?\n]*$", re.IGNORECASE)
_IF_ONLY = re.compile(r"\bif (?:i|we|one|you) (?:were|was|could|had|might)\b", re.IGNORECASE)
_CLAUSE_MARKS = "\n.,;:"
_SENTENCE_END = re.compile(r"\n|[.!?]\s+(?=[A-Z(])")


def marked_places(text: str) -> Iterator[Place]:
    """Yield a text's marked answers: first JSON, box or tag; then those marked by words, from the end of the
    text.
    """
    found = last_json(text) or _last_box(text) or _last_tag(text) or _finish(text)
    if found:
        yield found
    for match in reversed(_phrases(text)):
        end = _SENTENCE_END.search(text, match.end())
        stop = min(end.start() if end else len(text), match.end() + MAX_RAW)
        raw = text[match.end() : stop].rstrip(" .")
        if raw.strip() and not is_placeholder(raw) and not _IF_ONLY.search(raw):
            lead = text[max(0, match.start() - _LEAD_UP) : match.start()]
            clause = _last_clause(lead)
            if _SUPPOSED.match(clause) or ("would" in match[0] and _SUPPOSES.search(lead)):
                continue
            open_end, span = not text[stop:].strip(), (match.end(), match.end() + len(raw))
            inline = "\n" not in match[0]
            yield Place(
                "the_answer_is", raw, open_end=open_end, before=clause + match[0], span=span, inline=inline
            )


def _phrases(text: str) -> list[re.Match[str]]:
    """Matches of words that mark an answer, in text order: the last `_MAX_PHRASES` of them."""
    lower = text.lower()
    found: list[re.Match[str]] = []
    if "answer" in lower:
        found += _PHRASE.finditer(text)
    if "option" in lower or "choice" in lower:
        found += _OPTION.finditer(text)
    if "answer" in lower or "result" in lower:
        found += _HEADING.finditer(text)
    if "答案" in text:
        found += _CHINESE.finditer(text)
    if any(word in lower for word in _RIGHT_WORDS):
        found += _RIGHT_ONE.finditer(text)
    if ":" in text or "：" in text:
        found += _OTHER_LANGUAGES.finditer(text)
    if "####" in text:
        found += _HASHES.finditer(text)
    if any(label in lower for label in ("result", "ans", "a:", "a：", "答")) and not _OPTION_B.search(text):
        found += _LABEL.finditer(text)
    by_end = {match.end(): match for match in found}
    return [by_end[end] for end in sorted(by_end)][-_MAX_PHRASES:]


def _last_clause(text: str) -> str:
    begin = 1 + max(text.rfind(mark) for mark in _CLAUSE_MARKS)
    return _CLAUSE_WORDS.split(text[begin:])[-1]


def _last_tag(text: str) -> Place | None:
    """The last `<answer>...</answer>`; the closing tag may be missing at the very end."""
    tags = list(_TAGGED.finditer(text)) if "<" in text else []
    if not tags or is_placeholder(tags[-1]["raw"]):
        return None
    last = tags[-1]
    raw, unit = last["raw"], _UNIT_NAMED.search(last["attributes"] or "")
    if unit and _DIGITS_LAST.search(raw):
        raw = f"{raw.strip()} {unit['unit'].strip()}"
    return Place("tagged", raw, open_end=not text[last.end("raw") :].strip(), span=last.span("raw"))


def _finish(text: str) -> Place | None:
    """The answer in the action that ends an agent's text."""
    finishes = list(_FINISH.finditer(text)) if "Finish[" in text else []
    return Place("tagged", finishes[-1]["raw"], span=finishes[-1].span("raw")) if finishes else None


def _last_box(text: str) -> Place | None:
    if "boxed" not in text:
        return None
    found = None
    for found in _BOXED.finditer(text):  # noqa: B007 -- the last one is wanted
        pass
    return Place("boxed", found[1][:MAX_RAW], span=found.span(1)) if found else None
