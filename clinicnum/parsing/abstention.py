"""Detect abstentions: phrases that say that a value is not documented or cannot be computed."""

import re

from clinicnum.parsing.latex import without_latex

_NOT = r"(?:not|never|isn'?t|wasn'?t|aren'?t|weren'?t|hasn'?t been|haven'?t been)"
_BETWEEN = r"(?:been\s+|be\s+|there\s+|(?:explicitly|directly|reliably|clearly|actually|otherwise)\s+)?"
_RECORDED = (
    r"(?:documented|recorded|provided|available|given|mentioned|stated|specified|reported|included|listed"
    r"|noted"
    r"|measured|charted|obtained|entered|(?:taken|written|noted)(?: down)?|there|present|shown|found|supplied"
    r"|captured|filled in)"
)
_WRITTEN = (
    rf"(?:{_RECORDED[3:-1]}|contain(?:ed)?|known|clear|possible|enough|sufficient|applicable|computable"
    rf"|calculable"
    r"|determinable|answerable|feasible|retrievable|ascertainable|derivable|determined|calculated|computed)"
)
_CANNOT = (
    r"(?:can ?not|can'?t|could ?not|couldn'?t|unable to|impossible to|not able to|no way to|not possible to"
    r"|there'?s no way to)"
)
_TELL = (
    r"(?:be )?(?:\w{3,12}ly )?(?:be )?(?:determined?|answer(?:ed)?|calculated?|computed?|provided?|tell"
    r"|told|know"
    r"|known|say|said|found|find|establish(?:ed)?|infer(?:red)?|assist|help|give|given|derived?"
    r"|identif(?:y|ied)"
    r"|estimated?|fulfil\w*|report(?:ed)?|stated?|obtain(?:ed)?|ascertain(?:ed)?|retriev(?:e|ed)|resolved?"
    r"|evaluated?|assess(?:ed)?|work(?:ed)? (?:it |this |that |this one )?out|deduced?|complete(?:d)?"
    r"|verif(?:y"
    r"|ied)|produced?|named?|claimed?|decided?|settled?|confirmed?|done|judged?|read|seen|shown|counted"
    r"|formed"
    r"|made|converted|compared|checked|taken|guaranteed?|pinned down"
    r"|pinpoint|specify|perform|carry out|recall|remember|filled(?: in)?|assigned?"
    r"|concluded?|quantif(?:y|ied)|offer(?:ed)?|recover(?:ed)?|reconstruct(?:ed)?|supplied|supply"
    r"|satisf(?:y|ied))"
)
_ABSENT = (
    r"(?:missing|absent|blank|empty|unavailable|unknown|undocumented|unrecorded|incomplete|undetermined"
    r"|indeterminate|inconclusive|lacking|omitted|uncertain|unclear|undefined|unspecified|unmeasured"
    r"|undeterminable"
    r"|incalculable|uncharted)"
)
_VALUE = (
    r"(?:values?|readings?|measurements?|entry|entries|data|documentation|results?|pressures?|rates?"
    r"|saturations?"
    r"|temperatures?|scores?|weights?|heights?|information|mention|number|figure|answer|level|sbp|dbp"
    r"|spo2|hr|rr|map)"
)
_VITAL = (
    r"temperature|heart rate|pulse|respiratory rate|saturation|spo2|blood pressure|systolic|diastolic"
    r"|temp|pain score"
)
_HARD = (
    rf"\b{_CANNOT}\s+{_TELL}\b(?!\s+(?:with certainty|for certain|for sure|exactly|precisely|definitively))"
    rf"|\b{_NOT}\s+(?:be\s+)?(?:\w+ly\s+)?(?:possible|computable|calculable|determinable|answerable|feasible"
    r"|ascertainable|derivable)\b"
    r"|\b(?:insufficient|not enough|inadequate)\s+(?:\w+\s+)?(?:information|data|documentation|evidence)\b"
    r"|\bi abstain\b|\bno safe answer\b|\bcan't do (?:that|this) one\b|\b(?:unknowable|unanswerable"
    r"|indeterminate|undeterminable"
    r"|undetermined|incalculable|inconclusive)\b"
    r"|\b(?:undecidable|indeterminable|not decidable)\b|\bno\s+answer\b"
    r"|\b(?:nobody|no one|nothing)\s+(?:\w+\s+){0,3}?(?:say|tell|know|determine)s?\b"
    r"|\bno (?:way|means) (?:of|to)\b|\b(?:can|could) (?:give|name|state|offer|provide|report) no\b"
    r"|\bno (?:determinable|computable|calculable|valid|reliable|definite|definitive|defensible|obtainable)\b"
    r"|\bno (?:value|answer|result|time|number|figure|solution)\b(?=\W*$)|\black(?:s|ing)? its\b"
    r"|\b(?:neither|none) (?:of (?:these|them|those|which|the two) )?(?:should|can|could|may)\b"
    r"|\bthere (?:(?:isn't|is not) (?:one|any)|is none)\b(?=\W*(?:$|[.;!]))|\bno [\w ]{2,20} ?(?:=|→|⇒"
    r"|->) ?no\b"
    r"|\b(?:do(?:es)? not|don't|doesn't) (?:let|allow|permit|exist)\b|\b(?:therefore|so"
    r"|answer)\W{1,3}no(?=\W*$)"
    r"|\b(?:i'd|i would|i'll|i will|i'm) (?:rather )?not (?:name|give|say|state|put|report|answer|guess"
    r"|pick)\b"
    r"|\bso is the (?:answer|result)\b"
    r"|\b(?:answer|change|sum|result|index|ratio|difference|percentage|conversion|product|time|i'll say"
    r"|i report|i say)\b[^.;\n]{0,60}"
    r"\b(?:is|are|stays?|remains?|it's) (?:therefore |thus |also |simply |hence )?(?:unknown|not known"
    r"|undetermined"
    r"|open)\b"
    r"|\b(?:leave|left|report|answer|call|mark)\b[^.;\n]{0,30}\b(?:as (?:unknown|undetermined|open"
    r"|not known)|unanswered)\b"
    r"|\bno [\w ]{2,30} can be (?:reported|given|named|computed|calculated|determined|stated)\b"
    r"|\b(?:i|we) (?:do not|don't) (?:know|have any way)\b"
    r"|\bthere(?:'s| is) (?:\w+ )?no \w+ to (?:give|report|offer)\b"
    r"|\b(?:response|answer) is (?:that )?(?:it is |it's )?(?:unknown|undetermined|not known)\b"
    r"|\b(?:reply|response|answer) is that\b[^.;\n]{0,40}\b(?:is|are) (?:unknown|not known|missing)\b"
    r"|\bso there(?:'s| is) no (?:\w+ ){0,2}(?:answer|pressure|value|rate|result|way|percentage|change"
    r"|index|time)\b"
    r"|\b(?:time|answer|result|value|change|sum|count)\b[^.;\n]{0,40}\bisn't known\b"
    r"|\bnot something\b[^.\n]{0,40}\b(?:tell|say|show)\b"
    r"|\b(?:leave|left) (?:the answer|it|this|that) open\b|\brather not (?:name|say|give|guess|state)\b"
    r"|\b(?:decline to|refrain from|nothing to report|(?:will not|won't|not going to|refuse to)"
    r" (?:guess|speculate|name|give|state|invent|make|fabricate|provide))\b"
)
_OTHER_LANGUAGES = (
    r"\bimpossible (?:à|de)\b|\bn'est pas (?:renseign|document|enregistr|connu|disponib)|невозможно"
    r"|неизвестно"
    r"|не (?:задокументирован|указан|записан)|нет данных|\bindetermin|\bfehlt\b|\bkeine angaben?\b"
    r"|\bfalta(?:n)?\b"
    r"|\bmanca(?:no)?\b|\bdesconhecid"
    r"|"
    r"无法|未记录|没有记录|未知|不详|缺失|没有提供|未提供|不明|記録されていない|記載がな|できません|判断できな"
    r"|\bnicht (?:dokumentiert|bestimmbar|angegeben|feststellbar|erfasst|bekannt)"
    r"|\bkeine?[nrs]? [^.;\n]{0,40}"
    r"(?:dokumentiert|erfasst|angegeben)|\bunbekannt\b|\bniet (?:gedocumenteerd|vastgelegd|bekend|te bepalen)"
    r"|\bonbekend\b|\bno (?:se puede|es posible|consta|está (?:documentad|registrad)|fue (?:documentad"
    r"|registrad))"
    r"|\bdesconocid|\bnon (?:document|enregistr|déterminab|determinabil|precisat|registrat|disponib"
    r"|è possibile)"
    r"|\bne peut (?:pas )?être|\bne (?:peut|peuvent|permet\w*)(?: donc)? pas\b|\binconnue?\b"
    r"|\bnão (?:document|regist|é possível|consta)"
)
"""Abstentions in German, Dutch, Spanish, French, Italian, Portuguese, Chinese and Japanese."""
_PHRASES = re.compile(
    rf"{_HARD}|\b{_CANNOT}\s+{_TELL}\b"
    rf"|\b{_NOT}\s+{_BETWEEN}{_WRITTEN}\b"
    r"|\b(?:was|were|is|are|been) (?:left out|omitted|skipped|forgotten)\b|\ban unknown\b"
    rf"|\bno (?:\w+ ){{0,2}}?(?:{_VITAL}|sbp|dbp|hr|rr)(?=\W*(?:$|[.,;!)]))"
    rf"|\b(?:skipped|omitted|left out)\s+(?:the\s)?(?:{_VITAL})"
    r"|\b(?:do(?:es)? not|don'?t|doesn'?t|did not|didn'?t)\s+(?:know|say|state|specify|mention|provide"
    r"|contain|include|document|give|have|show|list|report|record|allow|appear)\b"
    r"|\b(?:no|missing|lacks?|lacking)\s+(?:\w+\s+)?(?:information|data|documentation)\b"
    r"|\bno\s+(?:such\s+)?(?:value|measurement|record|mention|reading)\s+(?:of|for|is|was|exists|available)\b"
    rf"|\bno\s+(?:[\w/()%-]+\s+){{0,5}}?(?:(?:was|were|is|are|has been|have been)\s+)?{_RECORDED}\b"
    rf"|\b(?:there (?:is|was|are|were)|has|have|had|contains?|shows?|lists?|includes?|with|gives?)\s+no\s+"
    rf"(?:[\w/-]+\s+){{0,4}}?{_VALUE}\b"
    rf"|\b(?:is|are|was|were|be|being|remains?|left|marked(?: as)?|listed as|shown as"
    rf"|appears?)\s+(?:\w+ly\s+)?"
    rf"(?:left\s+)?{_ABSENT}\b"
    rf"|\bmissing\s+(?:\w+\s+){{0,4}}?{_VALUE}\b|\b(?:undocumented|unspecified)\b"
    r"|\black(?:s|ing)?\s+(?:an?\s+|the\s+|any\s+)?(?:\w+\s+){0,3}?" + _VALUE + r"\b"
    rf"|\bno\s+(?:\w+\s+){{0,2}}?(?:{_VITAL}|{_VALUE[3:-1]})\s+(?:at|for|on|in|is|was|here|there|exists?)\b"
    r"|\bno\s+(?:\w+\s+){0,3}?(?:time|value|answer|number|figure|result|count)\s+(?:can|could) be\b"
    r"|\b(?:undefined|unknown|missing|unavailable|undetermined|undocumented)\b(?=\W*(?:$|[.;,)\n⇒]))"
    r"|\bnot (?:aware of|familiar with)\b"
    rf"|\b{_NOT}\s+(?:in|among|part of|on)\s+(?:the|these|this|any|those)\b"
    r"|\bwould (?:have|need) to (?:know|have|see)\b"
    rf"|\bneither\b[^.;\n]{{0,80}}\b{_RECORDED}\b|\b(?:nobody|no one|nothing)\s+(?:\w+\s+){{0,3}}?"
    r"(?:wrote|written|recorded|documented|noted|charted|measured|took|taken|entered|filled|put|stated)\b"
    r"|\b(?:is|are|was|were)(?: not|n't)(?=\W*(?:$|[.;!\n]))|[=:→]\s*[-–—]{1,3}(?=\W*$)"
    r"|[=:→]\s*(?:nd|nan|none|null|unknown|n/?a|\?+|undefined|missing|undetermined)(?=\W*(?:$|[#.;,)]))"
    rf"|\b(?:data|values?|readings?|information|measurements?)\s+{_ABSENT}\b"
    rf"|^\s*(?:null|nan|none recorded)\b|^\W*(?:unknown|{_ABSENT[3:-1]})\W*[;,.:(—–-]"
    rf"|{_OTHER_LANGUAGES}",
    re.IGNORECASE,
)
_FIRM = re.compile(rf"{_HARD}|无法|できません", re.IGNORECASE)
_WHOLE = re.compile(
    r"[\s\"'(\[*_]*(?:unknown|n\s*[/.]\s*[ad]\.?|na|nd|nan|null|nil|none|missing|unavailable|abstain"
    r"|no answer"
    r"|not applicable|cannot determine|i do ?n[o']t know|undefined|uncertain|no value|no data|"
    rf"{_ABSENT})(?:\s(?:°\s?[CF]|mmhg|bpm|%|breaths/min|beats/min|minutes|hours|points))?"
    r"[\s.\"')\]!*_]*",
    re.IGNORECASE,
)


_LACKS = re.compile(
    rf"\b(?:not|no|nothing|never|cannot|can't|couldn't|unable|without|insufficient|{_ABSENT[3:-1]}|lacks?"
    r"|un\w+able|in\w+able|none|n/?a|impossible)\b",
    re.IGNORECASE,
)
_ADVICE = re.compile(
    rf"\b(?:{_CANNOT}|will not|won't) (?:give|provide|offer|assist|help|comply|fulfil)\b[^.\n]{{0,30}}"
    r"(?:\b(?:medical|clinical|health|professional) (?:advice|guidance|opinions?)|\bwith (?:that|this"
    r"|requests)|$)",
    re.IGNORECASE,
)
_ABSENCE = re.compile(
    rf"\b(?:missing|insufficient|undocumented|unrecorded|lack(?:s|ing)?|left (?:blank|out|empty)"
    rf"|no (?:\w+ ){{0,2}}?(?:{_VITAL}|{_VALUE[3:-1]}))\b"
    r"|\b(?:is|was|are|were) (?:blank|empty|a dash|not there|absent)\b|\bnothing (?:to|in)\b",
    re.IGNORECASE,
)
"""Looser phrases that say that something is missing; used for unanswerable questions only."""
_HINTS = (
    "skipped", "left out", "forgotten", "nd", "so is", "so no", "—", "–", ": -", "nan", "null", "none", "n/a",
    "?", "not", "n't", "never", "no ", "unable", "impossible", "insufficient", "inadequate",
    "missing", "lack",
    "unknowable", "undocumented", "unanswerable",
    "undecid", "indeterm", "undeterm", "unspec", "snt", "rent", "vent",
    "cant", "dnt", "dont", "absent", "blank", "empty", "unavail", "unknown", "unrec", "incompl", "inconcl",
    "omitted", "uncert", "unclear", "undefined", "unmeas", "incalc", "unchart", "nobody", "no one", "open",
    "decline", "refrain", "fehlt", "falta", "manca", "desconh", "невозможно", "неизвестно",
    "не ", "нет",  "neither", "to know", "to have", "to see", "unbekannt", "kein", "nicht",
    "niet", "onbekend", "descono", "non ", "ne peut", "inconnu", "não", "无法", "未", "没有", "不详", "缺失",
    "不明", "な", "できません",
)  # fmt: skip
"""Every phrase contains one of these words, which are searched for first because that is much faster."""


def abstains(text: str) -> bool:
    """Whether the text abstains from giving the value asked for."""
    plain = " ".join(text.replace("’", "'").split())
    if not plain:
        return False
    lower = plain.lower()
    hinted = any(hint in lower for hint in _HINTS)
    return (hinted and _PHRASES.search(plain) is not None) or _WHOLE.fullmatch(plain) is not None


def names_no_value(text: str) -> bool:
    """Whether a short answer has no digits and says that a value is missing: "CANNOT_BE_DETERMINED"."""
    words = without_latex(text).replace("_", " ")
    return not any(map(str.isdigit, words)) and _LACKS.search(words) is not None


def refuses_advice(text: str) -> bool:
    """Whether a text refuses medical advice or help, which says nothing about the records."""
    return _ADVICE.search(text.replace("’", "'")) is not None


def refusals(text: str) -> list[tuple[int, int]]:
    """The spans of all abstaining phrases in a text."""
    return [match.span() for match in _PHRASES.finditer(text.replace("’", "'"))]


def absences(text: str) -> list[tuple[int, int]]:
    """The spans in which a text says, in whatever words, that something is missing."""
    return [match.span() for match in _ABSENCE.finditer(text)]


def is_firm(text: str) -> bool:
    """Whether a text says that the answer cannot be known, not merely that something is not documented."""
    return _FIRM.search(text.replace("’", "'")) is not None
