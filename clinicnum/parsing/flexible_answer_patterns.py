"""Regular expressions by which `flexible_answer` recognises where a text states its answer."""

import re

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
    r"|a (?:full|complete)|(?:patients|people|scores|values|those) (?:with|of|above|below|over|under)"
    r"|(?:according to [^,]{1,40}, |therefore, |thus, |so, )?a (?:[\w-]+\s)?"
    r"(?:score|value|result|level|rate|bmi|total|weight|height)"
    r" (?:of|between|above|below|over|under|from|greater|less|in)"
    rf"|(?:this|that|it|these|such|the)(?:\s[\w-]+){{0,3}}\s{_INDICATES})\b"
    r"|[\s*_•>-]*(?:class|grade|stage|category|low|moderate|high|mild|severe|minimal)\b[\w ]{0,25}[:=(]"
    r"|[\s*_•>-]*(?:[<>≥≤]\s?)?[0-9.]+(?:\s?(?:to|-|–|—)\s?[0-9.]+|\+| or (?:more|less|higher|lower|above))?"
    r"(?:\s(?:points?|%))?\s?[:=]\s?[A-Za-z]",
    re.IGNORECASE,
)
"""Beginnings of sentences that explain an answer given elsewhere."""
PENDING = re.compile(
    r"(?!.*\b(?:get|gives?|equals?|is|are)\s[$]?[0-9][0-9.,]*\W*$)"
    r"[\s*_#>-]*(?:let'?s|let us|let me (?:re|double|think|try|check|verify)"
    r"|now,? (?:we|i|let)|next,? (?:we|i|let)|to (?:calculate|find|determine|solve"
    r"|get the)"
    r"|we (?:can|need|will|must|should|have to)\b"
    r"|(?:(?:then|next|finally|now|and)[,:]?\s)*(?:(?:we|you)\s(?:(?:then|now)\s)?)?"
    r"(?:add|subtract|multiply|divide)\b)[^=]*$"
    r"|[^0-9=]*\b(?:minus|divided by|multiplied by|times(?! (?:per|an?|each|daily|weekly)\b))\b[^0-9=]*$"
    r"|.*[:,=(：，、＝→]\s*$",
    re.IGNORECASE | re.DOTALL,
)
"""Sentences that announce a next step."""
CONCLUDES = re.compile(
    r"(?:^|[,;:]\s)[\s*_#>-]*(?:and\s)?(?:therefore|thus|hence|so|in conclusion|consequently|finally"
    r"|in summary|overall|in total|altogether|(?:by )?adding (?:these|this|them|those|it|up|everything|all)"
    r"|vậy|do đó|kết luận|portanto|logo|por (?:lo )?tanto|en conclusi[oó]n|donc|par conséquent|ainsi|au total"
    r"|daher|somit|folglich|insgesamt|also|quindi|pertanto|dunque|conclusi[oó]n|conclusão|fazit|итак"
    r"|таким образом"
    r"|следовательно)\b|所以|因此|综上|結論|结论|总之|したがって|よって|ゆえに|そのため|以上より"
    r"|\b(?:in total|altogether|final answer|the answer|total of|(?:is|are) therefore)\b|=\s*[^=]*$|∴"
    r"|^[\s*_#>|-]*(?:(?:grand|final|overall)\s)?(?:total|gesamt|summe|suma|totale)\b|^\W*(?:合計|总分|总计)"
    r"|\b(?:to get|we get|gives?(?: us)?)\s[$]?[0-9][0-9.,]*\W*$",
    re.IGNORECASE,
)
BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
BOLD = re.compile(r"\*\*(.+?)\*\*|__(.+?)__")
SAYS = re.compile(
    r"\b(?:is|are|was|were|be|equals?|gives?|yields?|totals?(?!\sof)|makes?|costs?|takes?|needs?"
    r"|scores?(?!\sof)"
    r"|scored"
    r"|has|have|had|gets?"
    r"|earns?|ist|sind|war|beträgt|betrug|ergibt|lag|liegt(?: bei)?|lautet|est(?: de)?|sont|vaut|était"
    r"|es(?: de)?|son|era|fue|é(?: de)?|são|è|sono|pari a|равен|равна|равно|составляет|составит"
    r"|(?:amounts?|comes?|works? out|leads?|equal|equates?|rounds?) to|left with"
    r"|(?:score|total|rate|dose|level|value|number|difference|increase|decrease|change|rise|drop|growth"
    r"|reduction|sum) of)\b|(?<![0-9]):|:(?![0-9])|[=≈→]"
    r"|(?:一共|总共|共计|合计|共|还剩|剩下|为|是|有|等于|得到|合計は?|残りは|は|が)(?=[^0-9]{0,6}[0-9])",
    re.IGNORECASE,
)
"""Words that introduce a value, such as "is"."""
OPENS = re.compile(
    r"[\s*_$(`~]*(?:(?:about|approximately|around|roughly|only|now|also|exactly|a|still|etwa|ca\.|rund"
    r"|ungefähr"
    r"|environ|aproximadamente|alrededor de|unos|cerca de|circa|khoảng|примерно|около)\s)*(?:约|大约|約)?"
    r"(?:(?:an?|the)\s(?:[A-Za-z]+\s){1,4}of\s)?"
    r"[$]?[-+]?[.]?[0-9]"
)
"""Text that begins with a value."""
OR_ELSE = re.compile(
    r"(?<=[a-z%])\sor\s(?:about\s|approximately\s|roughly\s)?[0-9][0-9.,]*\s?[a-z%µμ/]+", re.IGNORECASE
)
"""A restatement in another unit: "0.21 liters or 210 milliliters"."""
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
    r"|\bthe\s[0-9]+$|[0-9]\s(?:divided by|multiplied by|times|minus|plus)\s[$]?[0-9][0-9./,]*\W*$"
)
"""An expression that was not computed, such as "3 x", "2π" or "8 divided by 2"."""
QUOTIENT = re.compile(
    r"[0-9]\s?[A-Za-z]{1,4}\s?[-+−]\s?[0-9]|[A-Za-z)]\s?[/×·^]\s?(?!1\.73)[0-9]"
    r"|[0-9]\s[-+−]\s[A-Za-z](?![A-Za-z])|\b(?:log|ln|sqrt|exp)\s?[({][^=]*$"
)
"""An expression after "=" that was not computed."""
SMALL_NUMBER = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
    r"|seventeen|eighteen|nineteen|twenty)\b",
    re.IGNORECASE,
)
WHY = re.compile(r",?\s(?:as|because|since|which|due to|so that|while|whereas)\b")
REASONS = re.compile(rf"{WHY.pattern}|,?\s(?:not|rather than)\b")
"""Words that introduce the reasons for a choice."""
DECIDES = re.compile(
    r"\b(?:answer|correct|best|therefore|thus|so|hence|conclusion|select|choose|likely|most \w+)\b",
    re.IGNORECASE,
)
MATRIX = re.compile(r"\[\s*\[.*?\]\s*\]", re.DOTALL)
PLANS = re.compile(r"\b(?:i|we|you) (?:would|will|need|must|should|could)\b", re.IGNORECASE)
"""Sentences about what is to be done, which choose nothing."""
YES_OR_NO = re.compile(r"[\s*_#>-]*(yes|no|true|false)[*_]{0,2}(?:[,.;:!]|$)", re.IGNORECASE)
NUMBER_BEGINS = re.compile(r"[-$]?[0-9]")
FRAGMENT = re.compile(r"[\s*_#>-]*[A-Za-z]+(?: [A-Za-z]+)?\s*")
"""One or two words without a full stop: the text breaks off."""
STOPPED = re.compile(r"[^\w\s,;]\s*\Z")
"""The end of a complete sentence."""
NO_VALUE = re.compile(r"\bthe (?:final |correct )?answer is\b[^0-9]*$", re.IGNORECASE)
"""Sentences that mark an answer which is not a number."""
AT_LEAST = re.compile(r"\b(?:at least|a minimum of)\s(?=[0-9])", re.IGNORECASE)
""""at least" before a score, as a sum of points is reported when items are unknown: "at least 8"."""
SCORE_ASKED = re.compile(
    r"\b(?:score|scale|gcs|apgar|index|punkte|puntuación|puntaje)\b|分数|点", re.IGNORECASE
)
DECIMAL_COMMA = re.compile(
    r"(?<![\w.,(\[{])(?:(0),([0-9]{1,6})|([0-9]{1,4}),([0-9]{1,2}))(?![\w,\])}]|\.[0-9])"
)
CHANCE_ASKED = re.compile(r"\b(?:probability|chance|odds|fraction)\b|\bP\(", re.IGNORECASE)
FRACTION = re.compile(r"(?:^|\bis|=|:)\s*[$*(]*(-?[0-9]{1,6})\s?/\s?([0-9]{1,6})[$*)\s]*\.?\W*$")
SAID_VALUE = re.compile(
    r"\b(?:is|are|was|were)\s(?:about\s|approximately\s|around\s)?[$]?(-?[0-9][0-9.,]*[0-9]|[0-9])"
)
"""A value after a form of "to be"."""
NAMED_VALUE = re.compile(r"(?<![\w.])([A-Za-z])\s?=\s?([-−]?[0-9][0-9.,]*)(?![0-9A-Za-z])")
"""A value of a variable: "x = 3"."""
SAYS_OPTION = re.compile(
    r"\b(?:is|are|was|were|be|called|as|ist|sind|est|sont|es|son|é|são|è|sono)\b|[=:≈→]|は|が|である|です|是"
    r"|为",
    re.IGNORECASE,
)
SINCE = re.compile(r"[\s*_#>-]*(?:since|because|as|given that)\b.*,\s", re.IGNORECASE)
"""Reasons that a sentence gives before its conclusion."""
YEAR_ASKED = re.compile(r"\b(?:what|which) year\b|\(year\)\s*$", re.IGNORECASE)
YEAR = re.compile(r"(?<![\w.,-])(?:1[0-9]{3}|20[0-9]{2})(?!\w|[.,][0-9])")
ALSO = re.compile(r"\b(?:also|too|as well|likewise)\b", re.IGNORECASE)
SUPPOSES = re.compile(r"[\s*_#>-]*(?:if|when|whether|unless)\b", re.IGNORECASE)
HOW_MANY = re.compile(
    r"\b(?:how (?:many|much)\s+(?:more\s|fewer\s|less\s|total\s)?|wie viele?\s|combien d(?:e\s|['’])"
    r"|cu[aá]nt[oa]s?\s|quant[oiae]s?\s)([^\W\d_]{3,})",
    re.IGNORECASE,
)
HOW_MANY_OF = re.compile(r"\bhow many\b", re.IGNORECASE)
MONEY_ASKED = re.compile(r"\b(?:dollars?|cents?|money|euros?|pounds?|bucks)\b|[$€£]", re.IGNORECASE)
PERCENTAGE_ASKED = re.compile(r"\b(?:what|which)(?: is| was)?(?: the)? percent(?:age)?\b|何%", re.IGNORECASE)
SHARE_ASKED = re.compile(r"per ?cent|%", re.IGNORECASE)
THERE_ARE_NONE = re.compile(r"^\W*there (?:is|are|was|were) no\b", re.IGNORECASE)
ENDS_IN_IS = re.compile(
    r"[^=≈]\bis\s(?:approximately\s|about\s)?([$]?[-−]?[0-9][0-9.,]*[0-9]|[0-9])\s?[%°]?"
    r"(?:\s(?!times\b|plus\b|minus\b|more\b|less\b|of\b|or\b|to\b)[A-Za-z]{2,12})?\W*\Z"
)
"""The value after the last "is" of a sentence, whatever equations come before it."""
EXPLANATION = re.compile(r"^\W*(?:explanation|reasoning|rationale|justification)\W*$", re.IGNORECASE)
"""A heading below which an answer is explained."""
ASKS = re.compile(
    r"\b(?:what|which|how|when|calculate|find|determine|compute|report|give|state)\b", re.IGNORECASE
)
WORD = re.compile(r"[^\W\d_][\w-]{2,}")
NO_BLANKS = re.compile("[\u3040-\u30ff\u4e00-\u9fff]{2,}")
"""Text in a script without spaces between words."""
THOUSANDS_POINT = re.compile(r"(?<![\w.,])([0-9]{1,3}(?:\.[0-9]{3})+),([0-9]{1,2})(?![\w,])")
"""Points as thousands separators, recognised by a decimal comma after them: "1.250,00"."""
_COMMON = """
the and was were what which how many much when will for his her their its that this does did has have had are
with from you your can calculate find determine compute give report state value answer number round rounded
decimal decimals please not she they him them been would should could there patient
"""
COMMON = frozenset(_COMMON.split())
"""Function words of questions, which do not tell what is asked."""
SCORE_OF = re.compile(
    r"(?<![\w./])([0-9]{1,2})(?:\s?/\s?|\sout of\s(?:a\s(?:maximum|total|possible)\s(?:of\s)?)?)"
    r"(?=([0-9]{1,3})(?![\w/]|[.,][0-9]))(?:\2)"
)
"""A score with its maximum: "13/15"."""
BOUNDS_IN_BRACKETS = re.compile(
    r"[(（\[][^()（）\[\]\n]{0,60}?(?:[<>≤≥]\s?[0-9.,]+|[0-9.,]+\s?(?:-|–|—|to|bis|à|a|〜|～)\s?[0-9.,]+)"
    r"[^()（）\[\]\n]{0,40}[)）\]]"
)
"""Brackets with a reference range or bound: "(normal range: 70-100 mmHg)"."""
COMPARES = re.compile(
    r"[\s*_#>(•-]*(?:(?:the|an?|der|die|das|la|le|el|il)\s)?(?P<what>(?:maximum|minimum)(?=\s(?:single|daily"
    r"|recommended"
    r"|possible|allowed|permitted|score|dose|value))|max(?=[. ])|normal\w*"
    r"|expected|target|reference|usual\w*|typical\w*|upper limit|lower limit|cut-?off|threshold"
    r"|valeurs? normales?|dos[ei]s? (?:maximale|máxima)|höchstdosis"
    r"|valor(?:es)? normal(?:es)?|referenz\w*|zielwert\w*|正常|参考|基準)",
    re.IGNORECASE,
)
"""Sentences that give a value for comparison."""
HYPOTHETICAL = re.compile(
    r"[\s*_#>-]*(?:if|in case|had)\b(?![^.]*\bthen\b)[^.]*\b(?:would|may|might|could)\b", re.IGNORECASE
)
"""Sentences about what would hold in another case."""
TWO_UNITS = re.compile(
    r"[0-9]\s?(?:hours?|hrs?|h|days?|weeks?|months?|years?|minutes?|mins?|feet|ft|stunden?|heures?|horas?"
    r"|小时|時間)"
    r",?\s?(?:and|und|et|y|e)?\s?[0-9.]+\s?(?:minutes?|mins?|min|seconds?|secs?|s|hours?|days?|weeks?"
    r"|months?|inch\w*"
    r"|minuten|minutos|sekunden|分)\b",
    re.IGNORECASE,
)
"""One amount in two units: "2 hours and 30 minutes"."""
BETWEEN = re.compile(
    r"\b(?:between|from)\s[$]?[0-9][0-9.,]*\s?[a-z%]{0,10}\s(?:and|to)\s[$]?[0-9][0-9.,]*"
    r"|[0-9][0-9.,]*(?:\s(?:thousand|million|billion|trillion))?\s?(?:to|-|–)\s?[$]?[0-9][0-9.,]*",
    re.IGNORECASE,
)
NUMBER_WORD = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
    r"|seventeen|eighteen|nineteen|twenty)"
)
ABOUT_IT = re.compile(
    r"\b(?:with|to|by|for|of|at|on|in)\s(?:this|that|such an?)\s(?:\w+\s)?(?:score|value|level|result"
    r"|rate|number)\b",
    re.IGNORECASE,
)
"""Words of sentences about a value stated before."""
UNIT_ASKED = re.compile(r"\(([^()]{1,20})\)\s*$")
VARIABLE_ASKED = re.compile(r"\b(?:value of|find|solve for|what is|the)\s([A-Za-z])(?=\s?(?:value|[.,?]|$))")
FOR_SCORE = re.compile(
    r"\b(?:with|for|at|given)\s(?:an?|the|this)\s[\w\s-]{0,30}score of [0-9.]*[0-9]", re.IGNORECASE
)
"""A score given only as a condition: "With a score of 3, the probability is moderate"."""
CHANCES = frozenset({"probability", "risk", "chance", "percentage", "mortality", "likelihood"})
TO_DO = re.compile(
    r"[\s*_#>-]*to (?:calculate|compute|determine|estimate|find|work out|get"
    r"|solve)\b",
    re.IGNORECASE,
)
"""Sentences that say how to compute a value."""
BOUND = re.compile(
    r"(?:[<>≤≥]=?|\b(?:over|above|below|under|more than|less than|at least|at most|greater than|fewer than"
    r"|higher than|lower than|exceed\w*|ab|mindestens|höchstens|über|unter|mehr als|weniger als"
    r"|à partir de|au moins"
    r"|plus de|moins de|a partir de|más de|menos de|al menos|mayor de|menor de|mais de"
    r"|pelo menos))\s?[0-9][0-9.,]*"
    r"|\b[0-9][0-9.,]*\s?(?:[a-z%/]+\s)?(?:or|and)\s(?:more|less|above|below|higher|lower|fewer|over"
    r"|greater)\b",
    re.IGNORECASE,
)
OPTION_ITEM = re.compile(
    r"[\s*_#>•-]*(?:option|choice|opción|antwort|réponse|选项"
    r"|選択肢)\s?[(*]{0,3}[A-J][)*]{0,3}\s?(?:\([^()]{1,60}\))?\s?"
    r"(?:[:：–—-]|(?:is|was|would|could|may|might|can|has|does|seems)\b"
    r"(?!.*\b(?:correct|right|true|best|answer|(?<!not )most \w+)\b))",
    re.IGNORECASE,
)
"""An option in a list that discusses each of them."""
AGE_ASKED = re.compile(r"\bhow old\b|\bage\b|\bwie alt\b", re.IGNORECASE)
YEARS_OLD = re.compile(r"(?<=[0-9])[ -]years?[ -]old\b", re.IGNORECASE)
BEFORE_COPULA = re.compile(r"(?<![0-9.,])([0-9][0-9.,]*)[^0-9。、]{0,6}(?:とな|にな|である|です)")
"""A value before the copula of a Japanese sentence."""
LABELLED_EQUATION = re.compile(r"[\s*_#>•-]*[A-Za-z][A-Za-z ]{3,40}=")
"""An equation with a label that names its result."""
STEP = re.compile(
    r"[\s*_#>•$-]*(?:\\?(?:ln|log|sqrt|exp)\s?\(|the (?:square root|(?:natural )?log(?:arithm)?) of [0-9])",
    re.IGNORECASE,
)
"""A function computed as an intermediate step: a logarithm, a root."""
STEP_ASKED = re.compile(r"\b(?:ln|log|sqrt|exp|square root|logarithm)\b", re.IGNORECASE)
GIVEN = re.compile(r"\b(?:at|when|where)\s[a-z]\s?=\s?[-−]?[0-9][0-9.]*[0-9]?(?=[\s,])", re.IGNORECASE)
"""The value of a variable at which something else is evaluated: "at x = 3"."""
IN_OTHER_CASES = re.compile(
    r"\b(?:(?:is|are|(?:may|can|could) be)\s(?:also\s)?(?:used (?:if|when|in|for|as)|reserved|possible"
    r"|considered|useful"
    r"|indicated (?:when|if|in)|preferred if|given (?:when|if))"
    r"|alternativ\w*|également|también se|n['’]est plus|no longer|nicht mehr"
    r"|if (?:high|low|contraindicated|negative|positive))\b",
    re.IGNORECASE,
)
"""Statements about an option that do not choose it, such as when it would be right."""
LETTER = re.compile(r"(?<![A-Za-z])[A-J](?![A-Za-z])")
