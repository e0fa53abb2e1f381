"""Options that a text leaves when it marks none: called right, not ruled out, or spoken of alone."""

import pytest

from clinicnum.parsing import parse_answer, parse_flexibly

CELLS = ("Neutrophils", "Eosinophils", "Basophils", "Monocytes")
WHICH = "Which cells rise in parasitic infection?"
NERVES = ("嗅神経", "視神経", "動眼神経", "滑車神経", "顔面神経")
MUSCLES = (
    "眼輪筋は顔面神経が支配する。",
    "咬筋は迷走神経が支配する。",
    "舌筋は三叉神経が支配する。",
    "声帯筋は副神経が支配する。",
)
WASSER = ("Leber", "Milz", "Niere", "Lunge")
HORMONES = ("胰岛素", "胰高血糖素", "甲状腺素", "皮质醇")


def left(text: str, options: tuple[str, ...], asked: str) -> str | None:
    """The letter that is read flexibly."""
    marked = parse_answer(text, kind="choice", asked=asked, options=options)
    found = parse_flexibly(text, marked, kind="choice", asked=asked, options=options).found
    return found.written if found else None


@pytest.mark.parametrize(
    ("text", "options", "asked", "letter"),
    [
        ("A. wrong, these fight bacteria\nB. right\nC. wrong\nD. wrong", CELLS, WHICH, "B"),
        ("a ×\nb ○：好酸球である。\nc ×\nd ×", CELLS, WHICH, "B"),
        ("A. Faux.\nB. Vrai : helminthes.\nC. Faux.\nD. Faux.", CELLS, WHICH, "B"),
        ("- A) bacteria ❌\n- B) helminths ✅\n- C) ❌\n- D) ❌", CELLS, WHICH, "B"),
        ("A：错误。\nB：正确，抗寄生虫。\nC：错误。\nD：错误。", CELLS, WHICH, "B"),
        ("A) not typical.\nB) they kill helminths.\nC) no role.\nD) not seen.", CELLS, WHICH, "B"),
        (
            "A: Richtig.\nB: Richtig.\nC: Falsch.\nD: Richtig.",
            WASSER,
            "Welches Organ filtert kein Blut?",
            "C",
        ),
        ("Options A, C and D can be ruled out.", CELLS, WHICH, "B"),
        ("选项A、C、D可以排除。", HORMONES, "哪种激素升高血糖最快？", "B"),
        ("Eosinophils kill helminths. The other options respond to other triggers.", CELLS, WHICH, "B"),
        ("视网膜的感觉由视神经传导。", ("嗅神经", "视神经", "动眼神经", "滑车神经"), "传导视觉的是：", "B"),
        ("胰高血糖素动员肝糖原。其他选项起效较慢。", HORMONES, "哪种激素升高血糖最快？", "B"),
        ("視覚は視神経が伝える。他の選択肢は運動に関わる。", NERVES, "視覚を伝えるのはどれか。", "B"),
        ("眼輪筋の支配は顔面神経(aは正)。咬筋は三叉神経(b誤)。", MUSCLES, "正しいのはどれか。", "A"),
        (
            "咬筋は三叉神経(b誤)、舌筋は舌下神経(c誤)、声帯筋は迷走神経(d誤)である。",
            MUSCLES,
            "正しいのはどれか。",
            "A",
        ),
        (
            "嗅神経、視神経、動眼神経、滑車神経は延髄より上から出る。顔面神経は橋と延髄の境から出る。",
            NERVES,
            "延髄より上から出ないのはどれか。",
            "E",
        ),
        ("Neutrophils, basophils and monocytes do little here. Eosinophils rise.", CELLS, WHICH, "B"),
        ("The most likely cells to rise are eosinophils. Neutrophils follow bacteria.", CELLS, WHICH, "B"),
        ("Die richtige Antwort lautet C.", WASSER, "Welches Organ bildet Urin?", "C"),
        ("**Lösung: C**\n\nAntwort A ist falsch.", WASSER, "Welches Organ bildet Urin?", "C"),
        ("Opción correcta: B)\n\nA) Incorrecta.", CELLS, WHICH, "B"),
        ("选项A、C、D都不对，故选B。", HORMONES, "哪种激素升高血糖最快？", "B"),
        (
            "Helminths attract eosinophils (Option B).\n- Option A: germs\n- Option C: atopy\n- Option D: 0",
            CELLS,
            WHICH,
            "B",
        ),
        ("Not A, C or D. Between B and C, basophils hardly rise. So B it is.", CELLS, WHICH, "B"),
        (
            "A. present\nB. present\nC. not a feature\nD. present",
            CELLS,
            "Which of these is NOT a cell that rises in parasitic infection?",
            "C",
        ),
        ("B项胰高血糖素正确，A、C、D项均错误。", HORMONES, "哪种激素升高血糖最快？", "B"),
        ("Since helminths attract them, eosinophils rise in parasitic infection.", CELLS, WHICH, "B"),
    ],
)
def test_options_that_a_text_leaves(text: str, options: tuple[str, ...], asked: str, letter: str) -> None:
    assert left(text, options, asked) == letter


@pytest.mark.parametrize(
    ("text", "options", "asked"),
    [
        ("A. right\nB. right\nC. wrong\nD. wrong", CELLS, WHICH),
        ("Options A, C and D can be ruled out.", CELLS, "Which two options are true? Select two answers."),
        ("Options A and C can be ruled out.", CELLS, WHICH),
        ("Neutrophils and eosinophils both rise. The other options do not.", CELLS, WHICH),
        ("Answer: it depends on the parasite\n\nOptions A, C and D can be ruled out.", CELLS, WHICH),
        ("Basophils rise in allergy, eosinophils too.", CELLS, WHICH),
        ("Not B. Helminths are the cause.", CELLS, WHICH),
    ],
)
def test_what_leaves_no_single_option(text: str, options: tuple[str, ...], asked: str) -> None:
    assert left(text, options, asked) is None


def test_letters_in_chinese_are_no_marked_answer_while_they_are_ruled_out() -> None:
    text = "选项A、C、D都不对，故选B。"
    marked = parse_answer(text, kind="choice", asked="哪种？", options=HORMONES)
    assert marked.found is not None
    assert marked.found.written == "B"
