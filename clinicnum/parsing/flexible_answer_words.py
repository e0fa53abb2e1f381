"""The words by which a reader of a text tells where its answer is."""

import re

SPECIAL = re.compile(r"</?s>|<\|[a-z_]{1,30}\|>|<(?:eos|bos|pad|unk)>|\[/?ANSWER\]", re.IGNORECASE)
"""Tokens that are no text."""
NEXT_QUESTION = re.compile(
    r"^[ \t]{0,9}(?:#{1,6}\s*|\*\*)?(?:q|question|problem|user|human|instruction|exercise)\b[^\n:]{0,12}:",
    re.IGNORECASE | re.MULTILINE,
)
RESPONSE = re.compile(r"^#{2,4} ?(?:response|assistant|answer):?[ \t]*$", re.IGNORECASE | re.MULTILINE)
"""Where the answer begins in a text that repeats its prompt."""
SENTENCE_END = re.compile(r"\n+|(?<=[.!?])[*_\"')\]]{0,4}\s+(?=[\"'(*_A-Z0-9$\\])|(?<=[。！？])")
_INDICATES = (
    r"(?:is because|can be (?:calculated|computed|used)|indicates?|suggests?|means?|corresponds?|falls?"
    r"|represents?|places?|information|helps?"
    r"|(?:is|was|are) (?:based|considered|categorized|categorised|indicative|within|classified|used"
    r"|calculated|derived|consistent"
    r"|important|associated|relatively|slightly|higher|lower|above|below|typically|generally"
    r"|a (?:tool|measure)))"
)
EXPLAINS = re.compile(
    r"[\s*_#>-]*(?:because|explanation|the reason|as long as|unless|note|please|for example"
    r"|reason(?:ing)?|i hope|hope this|if you|you can"
    r"|it(?:'s| is) (?:important|worth|recommended|crucial|always|also)|remember|keep in mind|always"
    r"|chatgpt\W*$|as a (?:healthcare|medical|clinical)|consult|further|clinical|considering|additionally"
    r"|moreover|furthermore|in addition"
    r"|for (?:more|further)"
    r"|(?:however|therefore|but),? (?:it is|it's|please|this|these|always|clinical)"
    r"|a (?:full|complete)"
    r"|(?:according to [^,]{1,40}, |therefore, |thus, |so, )?a (?:\w+\s)?"
    r"(?:score|value|result|level|rate|bmi|total|weight|height)"
    r" (?:of|between|above|below|over|under|from|greater|less|in)"
    rf"|(?:this|that|it|these|such|the)(?:\s[\w-]+){{0,3}}\s{_INDICATES})\b"
    r"|[\s*_•>-]*(?:class|grade|stage|category|low|moderate|high|mild|severe|minimal)\b[\w ]{0,25}[:=(]"
    r"|[\s*_•>-]*(?:[<>≥≤]\s?)?[0-9.]+(?:\s?(?:to|-|–|—)\s?[0-9.]+|\+| or (?:more|less|higher|lower|above))?"
    r"(?:\s(?:points?|%))?\s?[:=]\s?[A-Za-z]",
    re.IGNORECASE,
)
"""Beginnings of sentences about an answer that stands elsewhere."""
PENDING = re.compile(
    r"[\s*_#>-]*(?:let'?s|let us|now,? (?:we|i|let)|next,? (?:we|i|let)|to (?:calculate|find|determine|solve)"
    r"|we (?:can|need|will|must|should|have to)\b)[^=]*$|.*[:,=(]\s*$",
    re.IGNORECASE | re.DOTALL,
)
"""Sentences that announce what is still to come."""
CONCLUDES = re.compile(
    r"(?:^|[,;:]\s)[\s*_#>-]*(?:and\s)?(?:therefore|thus|hence|so|in conclusion|consequently|finally"
    r"|in summary|overall|in total|altogether|(?:by )?adding (?:these|this|them|those|it|up|everything|all)"
    r"|vậy|do đó|portanto|por (?:lo )?tanto|donc|daher|итак|таким образом)\b|所以|因此|したがって|よって"
    r"|\b(?:in total|altogether|final answer|the answer|total of|(?:is|are) therefore)\b|=\s*[^=]*$|∴",
    re.IGNORECASE,
)
BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
BOLD = re.compile(r"\*\*(.+?)\*\*|__(.+?)__")
SAYS = re.compile(
    r"\b(?:is|are|was|were|be|equals?|gives?|yields?|totals?|makes?|costs?|takes?|needs?|scores?(?!\sof)"
    r"|scored"
    r"|has|have|had|gets?"
    r"|earns?|(?:amounts?|comes?|works? out|leads?|equal|equates?|rounds?) to|left with"
    r"|(?:score|total|rate|dose|level|value|number) of)\b|[:=≈→]",
    re.IGNORECASE,
)
"""After these words a value is said."""
OPENS = re.compile(
    r"[\s*_$(`~]*(?:(?:about|approximately|around|roughly|only|now|also|exactly|a|still)\s)*"
    r"(?:(?:an?|the)\s(?:[A-Za-z]+\s){1,4}of\s)?"
    r"[$]?[-+]?[.]?[0-9]"
)
"""A value is the first thing said."""
OR_ELSE = re.compile(
    r"(?<=[a-z%])\sor\s(?:about\s|approximately\s|roughly\s)?[0-9][0-9.,]*\s?[a-z%µμ/]+", re.IGNORECASE
)
"""The same in another unit: "0.21 liters or 210 milliliters"."""
STATES = re.compile(
    r"(?:\b(?:is|are|was|were|equals?|of|in|at|on|be|approximately|about|around)\b|[:=≈])[^0-9]{0,30}$",
    re.IGNORECASE,
)
CHOOSES = re.compile(
    r"\b(?:answer|option|choice|correct|best|therefore|thus|so|hence|conclusion|select|choose"
    r"|most (?:likely|appropriate|accurate|suitable))\b",
    re.IGNORECASE,
)
PRODUCT = re.compile(
    r"\b[0-9]+[a-z]\s?[-+]|[\])]\s?/\s?[0-9]+\W*$|"
    r"[0-9)]\s?(?:(?<!\*)\*(?!\*)|×|·|\^)\s?[A-Za-z({\\]|[0-9]\s?(?:\\(?:pi|sqrt)\b|π|√)"
    r"|\bthe\s[0-9]+$"
)
"""A number times something that is no number: an expression."""
QUOTIENT = re.compile(
    r"[0-9]\s?[A-Za-z]{1,4}\s?[-+−]\s?[0-9]|[A-Za-z)]\s?[/×·^]\s?(?!1\.73)[0-9]"
    r"|[0-9]\s[-+−]\s[A-Za-z](?![A-Za-z])"
)
"""The same in what stands after "="."""
SMALL_NUMBER = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|twenty)\b",
    re.IGNORECASE,
)
REASONS = re.compile(r",?\s(?:as|because|since|which|due to|so that|not|rather than|while|whereas)\b|;")
"""What follows explains a choice."""
LIST_NUMBER = re.compile(r"^[ \t*_#>-]{0,9}[0-9]{1,2}[.)][ \t]+(?=[A-Z*][^0-9\n]{20})", re.MULTILINE)
"""The number of a point in a list."""
MATRIX = re.compile(r"\[\s*\[.*?\]\s*\]", re.DOTALL)
PLANS = re.compile(r"\b(?:i|we|you) (?:would|will|need|must|should|could)\b", re.IGNORECASE)
"""Sentences about what is to be done, which choose nothing."""
YES_OR_NO = re.compile(r"[\s*_#>-]*(yes|no|true|false)[*_]{0,2}(?:[,.;:!]|$)", re.IGNORECASE)
NUMBER_BEGINS = re.compile(r"[-$]?[0-9]")
FRAGMENT = re.compile(r"[\s*_#>-]*[A-Za-z]+(?: [A-Za-z]+)?\s*")
"""One or two words without a stop: a text that breaks off."""
NO_VALUE = re.compile(r"\bthe (?:final |correct )?answer is\b[^0-9]*$", re.IGNORECASE)
"""Sentences that mark an answer that is no number."""
AT_LEAST = re.compile(r"\b(?:at least|a minimum of)\s(?=[0-9])", re.IGNORECASE)
"""Of a score that is a sum of points, "at least 8" is how a sum is said of which no more is known."""
SCORE_ASKED = re.compile(r"\bscore\b", re.IGNORECASE)
DECIMAL_COMMA = re.compile(
    r"(?<![\w.,(\[{])(?:(0),([0-9]{1,6})|([0-9]{1,4}),([0-9]{1,2}))(?![\w,\])}]|\.[0-9])"
)
CHANCE_ASKED = re.compile(r"\b(?:probability|chance|odds|fraction)\b|\bP\(", re.IGNORECASE)
FRACTION = re.compile(r"(?:^|\bis|=|:)\s*[$*(]*(-?[0-9]{1,6})\s?/\s?([0-9]{1,6})[$*)\s]*\.?\W*$")
SAID_VALUE = re.compile(
    r"\b(?:is|are|was|were)\s(?:about\s|approximately\s|around\s)?[$]?(-?[0-9][0-9.,]*[0-9]|[0-9])"
)
"""The values that a sentence says of things."""
NAMED_VALUE = re.compile(r"(?<![\w.])([A-Za-z])\s?=\s?([-−]?[0-9][0-9.,]*)(?![0-9A-Za-z])")
"""A value of a variable: "x = 3"."""
SAYS_OPTION = re.compile(r"\b(?:is|are|was|were|be|called|as)\b|[=:≈→]", re.IGNORECASE)
YEAR_ASKED = re.compile(r"\b(?:what|which) year\b|\(year\)\s*$", re.IGNORECASE)
YEAR = re.compile(r"(?<![\w.,-])(?:1[0-9]{3}|20[0-9]{2})(?!\w|[.,][0-9])")
SUPPOSES = re.compile(r"[\s*_#>-]*(?:if|when|whether|unless)\b", re.IGNORECASE)
HOW_MANY = re.compile(r"\bhow (?:many|much)\s+(?:more\s|fewer\s|less\s|total\s)?([a-z]{3,})", re.IGNORECASE)
ASKS = re.compile(
    r"\b(?:what|which|how|when|calculate|find|determine|compute|report|give|state)\b", re.IGNORECASE
)
WORD = re.compile(r"[^\W\d_][\w-]{2,}")
_COMMON = """
the and was were what which how many much when will for his her their its that this does did has have had are
with from you your can calculate find determine compute give report state value answer number round rounded
decimal decimals please not she they him them been would should could there patient
"""
COMMON = frozenset(_COMMON.split())
"""Words of questions that do not tell what is asked."""
