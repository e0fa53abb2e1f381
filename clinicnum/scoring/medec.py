"""Score MEDEC: whether a note has an error, in which sentence, and how well the sentence is corrected.

Source: Ben Abacha et al. 2024 (arXiv 2412.19260); the rule is that of MEDIQA-CORR 2024
(github.com/abachaa/MEDIQA-CORR-2024, evaluation). Three things are judged: the flag (error or none), the id
of the sentence (-1 where none is wrong), and the correction: 1 where both say that none is needed, 0 where
only one says so, else ROUGE-1 F (`rouge`) against the reference. The task's other two measures of the
correction, BERTScore and BLEURT, are models of their own and are left out.

`lenient` is the right sentence id, and with it the right flag. The correction is in the `reason` and from
`judged_parts`; whether it is medically right is for a human. `strict` wants the asked form: `CORRECT`, or the
id, a blank and the sentence, and nothing else.

Read: `CORRECT` alone or "no error"; a line that begins with an id ("5 The ...", "Sentence 5: ...", "ID 5 -
..."), the last such line if there are several, provided that the ids agree; the same in JSON's `answer`.
An id without a correction names the sentence, and its correction counts as 0.
Not accepted: several ids, an id that is none of the note's, a correction without an id, the numbers of a list
("1.", "2.", ...), and a "1." alone that numbers a remark.
"""

import re
from dataclasses import dataclass

from clinicnum.parsing import MAX_TEXT, Reading, nothing_said
from clinicnum.parsing.abstention import abstains
from clinicnum.parsing.thinking import split_thinking
from clinicnum.scoring.rouge import rouge_1
from clinicnum.scoring.shared_scoring_steps import without_value
from clinicnum.types import Generation, Instance, Score

CORRECT = "CORRECT"
NO_SENTENCE = -1
_GOLD = re.compile(r"([0-9]{1,4}) (\S.*)", re.DOTALL)
_ASKED = re.compile(r"(?P<id>[0-9]{1,4}) (?P<text>\S[^\n]*)")
_LINE = re.compile(
    r"^[\s*_#>\"'`\-]{0,9}(?:(?:the\s)?(?:incorrect|wrong|erroneous|corrected)?\s?(?:error\s)?"
    r"(?:sentence|line|id)(?:\sid|\snumber)?(?:\sis)?\s{0,2}[:#]?\s{0,2})?"
    r"(?P<id>[0-9]{1,4})(?![0-9,/%]|\.[0-9])[*_\"'`]{0,3}\s{0,3}(?P<mark>[.:)\]–—-]?)[*_\"'`]{0,3}\s{1,3}"
    r"(?P<text>\S[^\n]*)",
    re.IGNORECASE | re.MULTILINE,
)
_NO_ERROR = re.compile(
    r"[\s*_#>\"'`({\[]*(?:answer\W{1,9})?(?:the\s)?(?:note\s|text\s)?(?:is\s)?correct\b[\s*_.!\"'`)}\]]*",
    re.IGNORECASE,
)
_SAYS_NONE = re.compile(
    r"\b(?:no|without(?:\sany)?)\s(?:medical\s)?errors?\b|\bno sentence is (?:wrong|incorrect)\b"
    r"|\ball (?:the )?sentences are correct\b|\bthe (?:note|text) is correct\b",
    re.IGNORECASE,
)
_FINE = re.compile(r"(?:the |this )?(?:sentence is )?correct\b", re.IGNORECASE)
"""What is said of a sentence that is not wrong."""
_FAULTY = re.compile(
    r"(?:is|has|contains)\s(?:an?\s|the\s)?(?:wrong|incorrect|erroneous|error|mistake)[\s.!*_]*",
    re.IGNORECASE,
)
"""What is said of a sentence that is wrong, without a correction."""
_MENTION = re.compile(
    r"\b(?:sentence|line|id)(?:\sid|\snumber)?(?:\sis)?[\s:#*]{1,4}([0-9]{1,4})\b", re.IGNORECASE
)
_ORDINALS = re.compile(r"\b([0-9]{1,4})(?:st|nd|rd|th)\s(?:sentence|line)\b", re.IGNORECASE)
_LIST = re.compile(r"^[\s*_#>\"'`-]{0,9}1[*_]{0,3}[.)]", re.MULTILINE)
"""The first number of a list."""
_ALONE = re.compile(r"^\W{0,9}([0-9]{1,4})\W{0,9}$")
_OR_ANOTHER = re.compile(
    r"\b[0-9]{1,4}\s+or\s+(?:(?:the|an?)\s+)?(?:one|sentence|line|next|previous|another|other|[0-9])",
    re.IGNORECASE,
)
"""A sentence that is named beside one more, which may be the wrong one as well."""
_QUOTED = re.compile(r"[\"“]([^\"“”\n]{10,1000})[\"”]")
_JSON = re.compile(r"\"answer\"\s{0,3}:\s{0,3}\"((?:[^\"\\]|\\.){0,2000})\"")


@dataclass(frozen=True, slots=True)
class Review:
    """An answer's claims about a note."""

    sentence_id: int
    """Id of the wrong sentence; -1 for none."""
    correction: str | None
    """The sentence corrected, empty if it was not written; None where nothing is wrong."""
    plain: bool
    """Whether the text says nothing else."""


@dataclass(frozen=True, slots=True)
class MedecParts:
    """The three parts of MEDEC's evaluation for one note."""

    flag: bool
    """Whether the flag is right."""
    sentence: bool
    """Whether the sentence's id is right."""
    correction: float
    """The composite: 1, 0 or ROUGE-1 F."""
    rouge: float | None = None
    """ROUGE-1 F alone; None unless reference and answer both correct a sentence."""


def fault(instance: Instance) -> str | None:
    """What is wrong with the gold; None if nothing is."""
    if instance.answer == CORRECT or _GOLD.fullmatch(instance.answer or ""):
        return None
    return f"answer is {instance.answer!r}; expected CORRECT, or an id and the sentence corrected; correct it"


def read_review(text: str, instance: Instance, *, any_id: bool = False) -> Review | str | None:
    """The claims in a text; the reason if they cannot be determined, None if the text declines.

    `any_id`: also accept an id that is none of the note's.
    """
    said = split_thinking(text)[0][-MAX_TEXT:].strip()
    quoted = list(_JSON.finditer(said))
    if quoted:
        said = quoted[-1][1].replace('\\"', '"').replace("\\n", "\n").strip()
    if said == CORRECT or _NO_ERROR.fullmatch(said):
        return Review(NO_SENTENCE, None, plain=said == CORRECT and not quoted)
    every = list(_LINE.finditer(said))
    lines = [line for line in _not_in_list(every) if not _numbers_remark(line, said, instance)]
    fine = [line for line in every if _SAYS_NONE.match(line["text"]) or _FINE.match(line["text"])]
    if any(found and all(line in fine for line in found) for found in (every, lines)):
        return Review(NO_SENTENCE, None, plain=False)
    known = [line for line in lines if line not in fine and _may_name(int(line["id"]), instance, any_id)]
    if len({int(line["id"]) for line in known} | set(map(int, _ORDINALS.findall(said)))) > 1:
        return "several sentences and none marked as the wrong one"
    if _OR_ANOTHER.search(known[-1][0] if known else said):
        return "one sentence or another, and none marked as the wrong one"
    if known:
        asked = None if quoted else _ASKED.fullmatch(said)
        line = "" if _FAULTY.fullmatch(known[-1]["text"]) else known[-1]["text"]
        text = asked["text"].strip() if asked else _correction(line)
        return Review(int(known[-1]["id"]), text, asked is not None)
    named = {int(number) for number in _MENTION.findall(said) + _ALONE.findall(said)}
    if len(named) == 1 and _may_name(min(named), instance, any_id):
        return Review(min(named), _correction(said) if _QUOTED.search(said) else "", plain=False)
    if lines:
        return f"sentence {lines[-1]['id']} is none of the note's"
    if _SAYS_NONE.search(said):
        return Review(NO_SENTENCE, None, plain=False)
    return None if abstains(said) else _names_none(named)


def _names_none(named: set[int]) -> str:
    """The reason where none of the note's sentences is named, by the ids that are."""
    if len(named) == 1:
        return f"sentence {min(named)} is none of the note's"
    return "neither CORRECT alone nor one sentence marked as the wrong one"


def judged_parts(instance: Instance, generation: Generation) -> MedecParts:
    """How a generation does in flag, sentence and correction, as in MEDEC's own evaluation: an unreadable
    answer is wrong in all three; one that names a sentence which the note lacks says that there is an error.
    """
    review = read_review(generation.text, instance, any_id=True)
    if not isinstance(review, Review):
        return MedecParts(flag=False, sentence=False, correction=0.0)
    return _judged(review, instance)


def uncorrected(instance: Instance) -> float | None:
    """ROUGE-1 F of the wrong sentence as it stands in the note; None where no sentence is wrong."""
    number, corrected = _gold(instance)
    line = _sentence(number, instance)
    if corrected is None or line is None:
        return None
    overlap = rouge_1(line, corrected)
    return overlap.f if overlap else 0.0


def judge(instance: Instance, generation: Generation) -> Score:
    """The score of a generation."""
    cut_off = generation.finish_reason == "length"
    if not split_thinking(generation.text)[0].strip():
        return without_value(instance, generation, nothing_said(generation.text, cut_off=cut_off))
    review = read_review(generation.text, instance)
    if not isinstance(review, Review):
        if cut_off:
            return without_value(instance, generation, Reading("truncated", None, f"cut off: {review}"))
        if review is None:
            return without_value(instance, generation, Reading("abstention", "prose", "declines to review"))
        return without_value(instance, generation, Reading("unparsable", None, review))
    parts = _judged(review, instance)
    return Score(
        generation_id=generation.generation_id,
        parsed=CORRECT if review.correction is None else f"{review.sentence_id} {review.correction}".strip(),
        form="medec" if review.plain else "medec_prose",
        status="correct" if parts.sentence else "incorrect",
        strict=parts.sentence and review.plain and not cut_off,
        lenient=parts.sentence,
        flexible=parts.sentence,
        reason=_reason(parts, review, instance),
    )


def _judged(review: Review, instance: Instance) -> MedecParts:
    gold_id, gold_text = _gold(instance)
    flag = (review.sentence_id == NO_SENTENCE) == (gold_id == NO_SENTENCE)
    sentence = review.sentence_id == gold_id
    if review.correction is None or gold_text is None:
        return MedecParts(flag, sentence, float(flag))
    if not review.correction:
        return MedecParts(flag, sentence, 0.0)
    overlap = rouge_1(review.correction, gold_text)
    rouge = overlap.f if overlap else 0.0
    return MedecParts(flag, sentence, rouge, rouge)


def _gold(instance: Instance) -> tuple[int, str | None]:
    match = _GOLD.fullmatch(instance.answer or "")
    return (int(match[1]), match[2]) if match else (NO_SENTENCE, None)


def _may_name(number: int, instance: Instance, any_id: bool) -> bool:
    return any_id or _sentence(number, instance) is not None


def _not_in_list(lines: list[re.Match[str]]) -> list[re.Match[str]]:
    """The lines that are none of a list of two or more, numbered "1.", "2." and so on."""
    lists: list[list[re.Match[str]]] = []
    for line in lines:
        number = int(line["id"])
        if not _is_numbered(line):
            continue
        if number == 1:
            lists.append([line])
        elif lists and number == len(lists[-1]) + 1:
            lists[-1].append(line)
    listed = [line for one in lists if len(one) > 1 for line in one]
    return [line for line in lines if line not in listed]


def _is_numbered(line: re.Match[str]) -> bool:
    """Whether a line begins as "1." or "1)"."""
    return line["mark"] in (".", ")") and line[0].lstrip("\t\n *_#>\"'`-").startswith(line["id"])


def _numbers_remark(line: re.Match[str], said: str, instance: Instance) -> bool:
    """Whether "1." or, later, "3." numbers a remark: what follows shares less than half of its words with the
    note's sentence of that id.
    """
    if not _is_numbered(line) or not _LIST.search(said):
        return False
    sentence = _sentence(int(line["id"]), instance)
    words = set(re.findall(r"\w+", line["text"].lower()))
    return sentence is None or 2 * len(words & set(re.findall(r"\w+", sentence.lower()))) < len(words)


def _sentence(number: int, instance: Instance) -> str | None:
    """The note's sentence with this id; None if there is none."""
    found = re.search(rf"^{number} (.*?)(?=^[0-9]+ |\Z)", instance.context, re.MULTILINE | re.DOTALL)
    return " ".join(found[1].split()) if found else None


def _correction(text: str) -> str:
    """The quoted sentence if there is one; otherwise the whole text."""
    quoted = _QUOTED.search(text)
    text = quoted[1] if quoted else text
    return " ".join(text.strip().strip("\"'*`").split())


def _reason(parts: MedecParts, review: Review, instance: Instance) -> str:
    gold_id, _ = _gold(instance)
    named = "no error" if review.sentence_id == NO_SENTENCE else f"an error in sentence {review.sentence_id}"
    wanted = "there is none" if gold_id == NO_SENTENCE else f"it is in sentence {gold_id}"
    right = "right" if parts.sentence else f"wrong: {wanted}"
    flag = "" if parts.sentence or not parts.flag else "; that there is an error is right"
    if NO_SENTENCE in (review.sentence_id, gold_id):
        return f"{named} is {right}{flag}"
    if not review.correction:
        return f"{named} is {right}{flag}; no correction is given"
    return f"{named} is {right}{flag}; correction ROUGE-1 F {parts.correction:.2f}, for a human to judge"
