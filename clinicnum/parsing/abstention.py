"""Whether a text declines to answer: the phrases for "it is not documented" and "I cannot tell"."""

import re

_NOT = r"(?:not|never|isn'?t|wasn'?t|aren'?t|weren'?t|hasn'?t been|haven'?t been)"
_WRITTEN = (
    r"(?:documented|recorded|provided|available|given|mentioned|stated|specified|reported|included|listed|noted"
    r"|measured|contain(?:ed)?|known|clear|possible to|enough|sufficient|applicable)"
)
_CANNOT = r"(?:can ?not|can'?t|could ?not|couldn'?t|unable to|impossible to|not able to|am not able to)"
_TELL = (
    r"(?:be )?(?:determined?|answer(?:ed)?|calculated?|computed?|provided?|tell|told|know|known|say|said"
    r"|found|find|establish(?:ed)?|infer(?:red)?|assist|help|give|given|derived?|identif(?:y|ied)|estimated?|fulfil\w*)"
)
_PHRASES = re.compile(
    rf"\b{_NOT}\s+(?:been\s+|be\s+|explicitly\s+|directly\s+)?{_WRITTEN}\b"
    rf"|\b{_CANNOT}\s+{_TELL}\b"
    r"|\b(?:do(?:es)? not|don'?t|doesn'?t|did not|didn'?t)\s+(?:know|say|state|specify|mention|provide"
    r"|contain|include|document|give|have enough)\b"
    r"|\b(?:insufficient|not enough|no|missing|lacks?|lacking)\s+(?:\w+\s+)?"
    r"(?:information|data|documentation)\b"
    r"|\bno\s+(?:answer|(?:such\s+)?(?:value|measurement|record|mention)\s+(?:of|for|is|was|exists|available))\b"
    r"|\b(?:undocumented|unanswerable|indeterminate|undeterminable|unspecified)\b",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"[\s\"'(\[]*(?:unknown|n\s*/\s*a|n\.a\.|na|null|missing|unavailable|abstain|no answer|not applicable"
    r"|cannot determine|i do ?n[o']t know)[\s.\"')\]!]*",
    re.IGNORECASE,
)


def abstains(text: str) -> bool:
    """Whether the text declines to give the value asked for."""
    plain = " ".join(text.replace("’", "'").split())
    return bool(_WHOLE.fullmatch(plain) or _PHRASES.search(plain))
