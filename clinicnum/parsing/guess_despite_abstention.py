"""Find a value that a text offers although it says that something is not documented: no abstention then.

"Not documented, but likely 93.3" and "assuming 120 mmHg, the MAP is 93.3 mmHg" offer one; "it is not
recorded; the diastolic was 70" does not. The end of the text decides: after a guess, "so it cannot be
determined" makes it an abstention, unless another value follows.
"""

import re

from clinicnum.parsing.abstention import absences, is_firm, refusals
from clinicnum.parsing.number_context import bounded
from clinicnum.parsing.numbers import numbers_in
from clinicnum.parsing.parse_result import cleaned

_OTHER = (
    r"(?:previous|last|last known|next|later|earlier|nearest|closest|prior|following"
    r"|preceding|most recent|normal"
    r"|typical|neighbouring|neighboring|adjacent|surrounding)"
)
_GUESS = re.compile(
    r"\b(?:assum(?:e|es|ed|ing|ption)|suppos(?:e|ing)|estimat(?:e|es|ed|ing)|approximat(?:e|ely|ing|ed)"
    r"|approx\.?"
    r"|is (?:the|my) (?:most likely|likeliest|best)|is what i (?:answer|give|say|report|go with)"
    r"|somewhere between"
    r"|(?:roughly|around|about)(?=\W{0,3}[0-9])|likel(?:y"
    r"|iest)|probabl[ey]|presum(?:e|ed|ing|ably)|guess(?:ing)?|perhaps|maybe"
    r"|imput(?:e|ed|ing)|interpolat\w+|extrapolat\w+|infer(?:red|ring)?|comput(?:e|ed|es|ing) (?:as|to be"
    r"|from|it)"
    r"|calculat(?:e|ed|es|ing) (?:as|to be|from|it)"
    r"|(?:would|could|might|may|must|should) (?:be|have been)(?=\W{0,3}(?:(?:about|around|approximately"
    r"|roughly|at)"
    r"\W{1,3})?[0-9~≈$])"
    r"|(?:i(?:'d| would| will|'ll)?|we(?:'d| would| will|'ll)?|let'?s|by|if (?:i|we))"
    r" (?:therefore |then |still |rather |thus |however |simply |just )?(?:say|go with"
    r"|answer|take|report|enter|chart|name|pick|choose|record|write|select|note|conclude"
    r"|use|using|taking|substitut\w+|carry\w*|put|give|assign)|(?:carry|carried|carrying) forward"
    rf"|(?:using|use|take|taking|with) (?:the |a |its )?{_OTHER}|otherwise"
    r"|that's what i(?:'d)? (?:enter|report|chart|say|give|answer|put)|so this would be"
    r"|(?:must|would|will) (?:surely |certainly |have )?(?:have )?been (?:>|<|above|over|below|under)"
    r"|fill(?:ed|ing)? in|, (?:taking|using|with) (?=[0-9])|so that's the answer"
    r"|i'm going with|i stand by|i used (?=[0-9])|i include it"
    r"|i\.e\.,? (?=\**[0-9])"
    r"|conclud(?:e|es|ed|ing)|rounded:|(?:is|was|be) (?:set|taken|treated|read|counted) (?:to|as|to be)"
    r"|if (?:i|we|one) (?:must|ha[dv]e? to|were to)|(?:i|we|one) (?:get|gets|obtain|arrive at|end up with)"
    r"|default(?:s|ing)? to|(?:the |my |final )?(?:answer|result|value) (?:is\b|stays|remains|would be|=)"
    r"|comfortable (?:giving|saying|with)|answer:"
    r"|final answer"
    r"|(?:so|therefore|thus|hence|then|giving|gives|yields|which (?:is|gives|makes))\b[^.;\n]{0,60}?"
    r"(?:\bis\b|\bwas\b|=|≈|\bof\b|:(?![0-9]))|suggest(?:s|ing)?|expected (?:to be|at)|typical(?:ly)?"
    r"|closest to|close to (?=\W{0,3}[0-9])"
    r"|vermutlich|wahrscheinlich|schätz\w*|geschätzt\w*|ungefähr|etwa (?=\W{0,3}[0-9])|angenommen|annahme"
    r"|nehme ich"
    r"|probablement|estim\w+|environ (?=[0-9])|supposons|en supposant|probablemente|aproximadamente"
    r"|alrededor de"
    r"|suponiendo|asumiendo|provavelmente|cerca de (?=[0-9])|supondo|assumindo|probabilmente"
    r"|circa (?=[0-9])|stim\w+"
    r"|вероятно|примерно|предположим|около"
    r"|rounds? to|(?:can|could) be (?:taken|read|used|computed|calculated|derived|estimated|obtained) as)"
    r"|[≈~→]|估计|大约|约为|可能是|假设|推测|推算|推定|と考えられ|おそらく|仮定|約(?=[0-9])",
    re.IGNORECASE,
)
_IGNORES = re.compile(
    r"\b(?:disregard(?:s|ed|ing)?|ignor(?:es?|ed|ing)|skipp(?:ed|ing)|exclud(?:ed|ing)|leaving out"
    r"|not counted|leaving [\w ]{2,20} aside|setting [\w ]{2,20} aside"
    r"|treat(?:ed|ing) (?:it |this |that )?as (?:normal|zero|0|not)|based on (?:the )?(?:available"
    r"|documented|recorded"
    r"|remaining)|(?:among|of|from) (?:the |those )?(?:documented|recorded|available|remaining) (?:values"
    r"|readings"
    r"|records|ones|data|measurements))\b",
    re.IGNORECASE,
)
_FOR_EXAMPLE = re.compile(
    r"\b(?:if (?!(?:i|we)\b)|would be able|(?:one|you) could|should an?\b|for example|e\.g\.|for instance"
    r"|such as|would be needed|would need"
    r"|would require)",
    re.IGNORECASE,
)
_WITHDRAWN = re.compile(
    r"\bbut (?:that|this|it|such|any|doing so|those)(?: \w+)? (?:would|is|are|was|isn't|can't|cannot)\b"
    r"|\brules? (?:it|that|this) out\b"
    r"|\b(?:would|might|could) be (?:a |an |pure |only |just |mere )*"
    r"(?:guess|speculati|invent|fabricat|made up)",
    re.IGNORECASE,
)
"""A value that is named and then withdrawn: "but that would be a guess"."""
_JUSTIFIES = re.compile(
    r"\b(?:would|will|could) (?:not|hardly|never) have (?:been|exceeded|changed|mattered|made|reached)\b"
    r"|\bgiven (?:this|the) trend\b|\bunlikely to (?:have|be|change|matter)\b",
    re.IGNORECASE,
)
"""Reasons why a stated value holds although another one is missing."""
_VALUE_LINE = re.compile(
    r"[^\w\n]*(?:[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2})?"
    r"|[^\n]{0,80}[=≈]\s?[-−]?[0-9][0-9.,]*|[-−]?[0-9][0-9.,]*)\s?(?:[a-zA-Z%°/]{1,12})?[\s*_`$.]*"
)
"""A line that consists of a value, or of an equation that ends in one."""
_VALUE = (
    r"(?:[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2})?"
    r"|[-−]?[0-9][0-9.,]*(?:\s?[a-zA-Z%°/]{1,12})?"
    r"|one|two|three|four|five|six|seven|eight|nine|ten)"
)
_OPENS_WITH_VALUE = re.compile(
    r"(?:(?:first|highest|lowest|answer|number|total|count|maximum|minimum)\b[^.:\n]{0,50}:)?"
    rf"[\s*_`\"']*{_VALUE}[*_`\"']*\s?"
    r"(?:[.:;(–—](?!\S)|\s[-–—]\s|,\s(?:as|since|because|given|if|although|though)\b)",
    re.IGNORECASE,
)
"""A text that begins with its answer, as "2: one reading is missing"."""
_ENDS_IN_VALUE = re.compile(
    r"(?:[0-9)]\s?[=≈→]|\b(?:so|therefore|thus|hence|then)[:,]?(?=\s)|[^.\n]{3,60}:(?=\s\*\*)"
    r"|\b(?:excess|change|difference|index|sum|product|percentage|ratio|count)\b[^.;\n]{0,40}\bis(?=\s)"
    r"|\bfirst\b[^.:\n]{0,30}:|\b(?:map|index|pressure)\s=|\b(?:answer|maximum|minimum|total|result|count"
    r"|sum|highest|lowest|final"
    r"|difference)\W{0,4}[:=])"
    rf"[\s*_`$]+{_VALUE}(?:\s[a-z]{{1,12}}){{0,3}}(?:\s\([^()]{{0,20}}\))?[\s*_`$.)]*$",
    re.IGNORECASE,
)
_POSSIBLE = re.compile(r"(?:could|might|may) (?:be|have been)", re.IGNORECASE)
"""Words for a mere possibility, which after a firm abstention offer no value."""
_SAID_BEFORE = re.compile(r"is (?:the|my|what i)|that's what|so (?:this would|that's)", re.IGNORECASE)
_DENIED = re.compile(
    r"\b(?:without|rather than|instead of|not|cannot|can't|never|no|any|nor)\s+(?:\w+\s+){0,2}$",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"\([^()]*\)")
_SENTENCE = re.compile(r"[^.;\n]*(?:\.(?=[0-9])[^.;\n]*)*\n?[^.;\n]*(?:\.(?=[0-9])[^.;\n]*)*")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}|\b(?:at|is|was) [0-9]{1,2}:[0-9]{2}\b")
_RANGE = re.compile(
    r"[0-9.]+ and [0-9.]+\s?[a-z%°]"
    r"|(?<![0-9-])[0-9]+(?:\.[0-9]+)?\s?(?:–|-|to)\s?[0-9]+(?:\.[0-9]+)?\s?[a-z%°]"
)
_SCOPE = 160
"""Maximum number of characters between a guess's words and value."""


def guess_in(text: str) -> str | None:
    """The part of a text that offers a value despite an abstention; None if it offers none."""
    declined = refusals(text) or absences(text)
    if not declined:
        return None
    last_firm = max((end for start, end in declined if is_firm(text[start:end])), default=0)
    for match in _GUESS.finditer(text, last_firm):
        if _offers(text, match) and not (last_firm and _POSSIBLE.match(match[0])):
            return text[match.start() :]
    if not last_firm and _OPENS_WITH_VALUE.match(text):
        return text
    ending = _ENDS_IN_VALUE.search(text, max(last_firm, len(text) - _SCOPE))
    if ending and not refusals(text[1 + max(text.rfind(mark, 0, ending.start()) for mark in ".;,\n") :]):
        return ending[0]
    last_line = text.rstrip().rpartition("\n")[2]
    if len(last_line) < len(text.rstrip()) and not refusals(last_line) and _VALUE_LINE.fullmatch(last_line):
        return last_line
    if not last_firm and _JUSTIFIES.search(text) and _has_value(text):
        return text
    outside = _BRACKETS.sub(" ", text)
    if outside != text and not refusals(outside) and _has_value(outside):
        return text
    if not last_firm and _IGNORES.search(text) and _has_value(text):
        return text
    return None


def _offers(text: str, match: re.Match[str]) -> bool:
    sentence = _SENTENCE.match(text, match.end())
    stop = min(sentence.end() if sentence else match.end(), match.end() + _SCOPE)
    begin = 1 + max(text.rfind(mark, 0, match.start()) for mark in ".;\n")
    before = text[begin : match.end()]
    if _FOR_EXAMPLE.search(before) or (match[0][0].isalnum() and _DENIED.search(text[begin : match.start()])):
        return False
    if _WITHDRAWN.search(text[match.start() : stop]):
        return False
    if _SAID_BEFORE.match(match[0]):
        return _has_value(before)
    return _has_value(text[match.end() : stop])


def _has_value(text: str) -> bool:
    """Whether a text holds a date with time, a range, or a number that is not a bound."""
    if _TIME.search(text) or _RANGE.search(text):
        return True
    plain = cleaned(text)
    return any(not bounded(plain, amount.span[0]) for amount in numbers_in(text))
