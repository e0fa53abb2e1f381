"""Words, in several languages, with which texts call options right or wrong."""

import re

RIGHT = re.compile(
    r"[✅✔☑✓◯○〇]|\b(?:correct|right|true|vraie?|exacte?|richtig|zutreffend|correcto|correcta|correte"
    r"|verdader[oa]"
    r"|verdadeir[oa]|corret[oa]|corrett[oa]|ver[oa]|верно|правильно)\b"
    r"|正确|正確|正しい|正解|適切|正$|(?<=は)正(?![しい常])",
    re.IGNORECASE,
)
WRONG = re.compile(
    r"[❌✗✘✖×]|\b(?:incorrect|wrong|false|untrue|faux|fausse|inexacte?|falsch|unzutreffend|incorrect[oae]"
    r"|fals[oa]"
    r"|incorret[oa]|errat[oa]|errad[oa]|errón[eo]a?|sbagliat[oa]|scorrett[oa]|неверно|неправильно)\b"
    r"|\b(?:not|n['’]t|isn['’]t|nicht|pas|no es|non è|não é|не)\s(?:\w+\s){0,2}?(?:correct|right|true"
    r"|best|answer"
    r"|richtig|zutreffend|correcte?|exacte?|vraie?|correct[oa]|verdader[oa]|corret[oa]|corrett[oa]|верно"
    r"|правильно)\b"
    r"|错误|錯誤|不正确|不正確|不对|不對|不符|誤|不適切|適切(?:では|で)ない|正しく(?:は)?ない|該当しない|不正",
    re.IGNORECASE,
)
DENIES = re.compile(
    r"(?<!or )\b(?:not|cannot|never|no|neither|nor|without|nicht|keine?|pas|aucune?|jamais|non|não|nunca"
    r"|sin|ни|не|нет)\b"
    r"|n['’]t\b|不|没有|沒有|无|無(?!効)|未|非|ない|ません|ず(?=[、。に])",
    re.IGNORECASE,
)
RULES_OUT = re.compile(
    r"\b(?:rule[sd]?|ruling)\s(?:\w+\s)?out\b|\bruled out\b|\b(?:eliminat|exclud|discard|dismiss)\w*\b"
    r"|\bausgeschlossen|\bausschließen|\bscheide[nt]\b|\b(?:éliminer|éliminées?|écart\w+|exclu\w*)\b"
    r"|\b(?:descart\w+|elimin\w+|exclu\w+|escludere|scartare)\b|排除|除外|исключ\w+",
    re.IGNORECASE,
)
OTHERS = re.compile(
    r"\b(?:all (?:the )?other|the other|other|remaining)\s(?:(?:answer|given|listed)\s)?(?:options?"
    r"|choices?|answers?|alternatives"
    r"|statements)\b|\bthe (?:others|rest)\s(?:are|do|is|have)\b"
    r"|\b(?:die\s)?(?:anderen|übrigen|restlichen)\s(?:antwort\w*|option\w*|aussagen|möglichkeiten)\b"
    r"|\b(?:les\s)?autres\s(?:réponses|options|propositions|choix)\b"
    r"|\b(?:las\s)?(?:otras|demás|restantes)\s(?:opciones|respuestas|alternativas)\b|\blas demás\b"
    r"|\b(?:as\s)?(?:outras|demais|restantes)\s(?:opções|respostas|alternativas)\b"
    r"|\b(?:le\s)?(?:altre|restanti)\s(?:opzioni|risposte|alternative)\b|\bостальные\b"
    r"|(?:他|その他|それ以外|ほか|残り)の?選択肢|(?:其他|其它|其余|另外几个|其餘)(?:的)?(?:各)?(?:选项|選項|答案|几项|三项|四项)",
    re.IGNORECASE,
)
"""Phrases for all options that are not chosen: "the other options"."""
_ASKS_FOR_WRONG = re.compile(
    r"\b(?:not|except|incorrect|false|least|wrong|inappropriate|unlikely|never|nicht|kein\w*|falsch\w*"
    r"|außer|sauf|excepté"
    r"|faux|fausse|incorrecte|no|incorrecta|falsa|excepto|não|errada|exceto|tranne|eccetto|falso|non|не"
    r"|кроме|неверн\w+)\b"
    r"|n['’]t\b|誤|ない(?:もの|の)|不適切|乏しい|低い|必要(?:が|の)ない|错误|不正确|不是|不属于|不包括|不宜|不应|除外|除了|不符合|不会|不能",
    re.IGNORECASE,
)
"""Questions for the wrong option, or for the one to which something does not apply."""
ASKS_FOR_SEVERAL = re.compile(
    r"[2-5２-５二三](?:つ|個|項)(?:を|選)|(?:two|three|all)\s(?:\w+\s)?(?:options|answers|that apply|correct)"
    r"|\b(?:select|choose)\s"
    r"(?:two|three|all)\b|多选|すべて選|全て選",
    re.IGNORECASE,
)
PREFERS = re.compile(
    r"\b(?:most (?:likely|appropriate|effective|suitable|probable|consistent|accurate)|best (?:described"
    r"|explained|treat\w+|answer|choice|option)"
    r"|first-line|(?:treatment|drug|test) of choice|gold standard|am (?:ehesten|wahrscheinlichsten)"
    r"|mittel der wahl|erste wahl"
    r"|le plus (?:probable|approprié|adapté)|la plus (?:probable|appropriée|adaptée)|de choix"
    r"|première intention"
    r"|más (?:probable|adecuad[oa]|apropiad[oa])|de elección|mais (?:provável|adequad[oa]|apropriad[oa])"
    r"|de escolha"
    r"|più (?:probabile|appropriat[oa]))\b"
    r"|と考えられる|と考える|が最も|最も適切|最も考え|第一選択|最合适|最适合|最可能|最有可能|首选|考虑为|诊断为|应考虑",
    re.IGNORECASE,
)
"""Words that prefer one option to the others."""
CLAUSE_END = re.compile(
    r"\n+|(?<=[。！？；;])|(?<=[.!?])\s+|が、|、一方|一方、|，而|，但|,\s(?:but|while|whereas)\s"
)
RIGHT_IN_JAPANESE = re.compile(
    r"(?<![A-Za-z])([A-Ja-j])(?:[)）]|\s)?(?:の選択肢)?[がは:：]?\s?(?:が|は)?(?:最も)?(?:正しい|正解|適切で|該当する)"
    r"|(?<![A-Za-z])([A-Ja-j])を選択(?!肢)|(?:正解|答え|解答)[はが:：]{1,2}\s?([A-Ja-j])(?![A-Za-z])"
)
"""The letter that a Japanese text calls right."""
RIGHT_IN_CHINESE = re.compile(
    r"(?<![可不])[选選](?:择|擇)?\s?[:：]?\s?([A-J])(?![A-Za-z0-9])(?!\s?[、，,和及或]\s?[A-J])"
    r"|(?<![A-Za-z、，/])([A-J])\s?[项項选選]{0,2}[^，。、不\nA-Z]{0,12}(?:正确|正確|最合适|最恰当|符合题意)"
)
_SENTENCE = re.compile(r"(?<=[.。!?？])\s*|\n")


def asks_for_wrong(asked: str) -> bool:
    """Whether a question asks for the wrong option, or for the option to which something does not apply."""
    sentences = [sentence for sentence in _SENTENCE.split(asked) if len(sentence.strip()) > 3]
    return bool(sentences) and _ASKS_FOR_WRONG.search(sentences[-1]) is not None
