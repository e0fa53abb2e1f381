"""Names of months, and small numbers in words, in languages other than English."""

import re

_NAMES = {
    "january": "januari januar jänner janvier enero gennaio janeiro",
    "february": "februari februar février febrero febbraio fevereiro",
    "march": "maret märz mars marzo março",
    "april": "avril abril aprile",
    "may": "mei mai mayo maggio maio",
    "june": "juni juin junio giugno junho",
    "july": "juli juillet julio luglio julho",
    "august": "agustus août agosto",
    "september": "septembre septiembre settembre setembro",
    "october": "oktober octobre octubre ottobre outubro",
    "november": "novembre noviembre novembro",
    "december": "desember dezember décembre diciembre dicembre dezembro",
}
_ENGLISH = {name: month for month, names in _NAMES.items() for name in names.split()}
_DATE = re.compile(
    rf"(?P<day>[0-9]{{1,2}})(?:\.|er|º)?\s(?:de\s)?(?P<name>{'|'.join(_ENGLISH)})\s(?:del?\s)?(?=[0-9]{{4}})",
    re.IGNORECASE,
)


_NUMBERS = {
    2: "dua دو zwei dos deux",
    3: "tiga تین drei tres trois",
    4: "empat چار vier cuatro quatre",
    5: "lima پانچ fünf cinco cinq",
    6: "enam چھ sechs seis six",
    7: "tujuh سات sieben siete sept",
    8: "delapan آٹھ acht ocho huit",
    9: "sembilan نو neun nueve neuf",
    10: "sepuluh دس zehn diez dix",
}
_VALUES = {word: value for value, words in _NUMBERS.items() for word in words.split()}
_WORD = re.compile(r"[^\W\d_]+")
_MOST_WORDS = 15


def small_number(text: str) -> int | None:
    """The only number word, for 2 to 10, in a short text without digits, as an int; None if there is none."""
    words = _WORD.findall(text.lower())
    found = {_VALUES[word] for word in words if word in _VALUES}
    brief = len(words) <= _MOST_WORDS and not any(map(str.isdigit, text))
    return found.pop() if brief and len(found) == 1 else None


def in_english(text: str) -> str:
    """`text` with the months of whole dates in English: "3 Maret 1942", "3 de marzo de 1942"."""
    return _DATE.sub(lambda match: f"{match['day']} {_ENGLISH[match['name'].lower()]} ", text)
