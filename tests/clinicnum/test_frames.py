"""Notes that users supply: what is cut out, what is refused and why, and which files are read."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from clinicnum.errors import InputError
from clinicnum.representations import BASE, render_records
from clinicnum.representations.note_frames import Frame, frame_of, load_frames
from clinicnum.representations.note_vital_span import UnsuitableError
from tests.clinicnum.test_representations import check_prose, records_of
from tests.open_data import MEDEC, figure

BEFORE, AFTER = "A 40-year-old man has had a cough for 3 days.", "Lungs are clear. WBC is 7.2."


@pytest.mark.parametrize(
    "passage",
    [
        "His temperature is 38.2 C (100.8 F), pulse is 88/min, respirations are 18/min, and blood "
        "pressure is 120/80 mm Hg.",
        "His temperature is 37 C (98.6 F). Pulse oximetry on room air shows an oxygen saturation of 96%.",
        "His vitals are BP 100/50, HR 110, T 97.8, RR 22.",
        "Vital signs: T 98.6, P 80, R 16, BP 120/80, O2 sat. 98% on RA.",
        "Vitals:\nT 37.2\nHR 98\nBP 110/62\nSpO2 99%\nPain 7/10\n",
        "VS: 37.2 C, hr 98, bp 110/62, rr 16, 99% on room air.",
        "BP 120/80 mmHg, pulse 88/min.",
        "On exam, her vitals include BP 186/102 mmHg and T 98.9 degrees Fahrenheit.",
        "His blood pressure is 158/96 mm Hg.",
        "Dr. Lee measured a BP of 120/80 mmHg.",
        "Vital signs are within normal limits.",
        "Vital signs are stable. His temperature is 36.9 C.",
    ],
)
def test_the_passage_is_cut_in_whole_sentences_and_the_rest_is_kept(passage: str) -> None:
    frame = frame_of(f"{BEFORE} {passage} {AFTER}")
    assert (frame.before, frame.after) == (BEFORE, AFTER)


@pytest.mark.parametrize(
    ("rest", "reason"),
    [
        ("He is afebrile.", "state_word"),
        ("He reports fever for 2 days.", "state_word"),
        ("Cardiac monitoring shows sinus tachycardia.", "state_word"),
        ("He was hypotensive in the ambulance.", "state_word"),
        ("He remains normotensive.", "state_word"),
        ("He is hypoxic and cyanotic.", "state_word"),
        ("Bradypnea is noted.", "state_word"),
        ("He is in septic shock.", "state_word"),
        ("He is hemodynamically unstable.", "state_word"),
        ("He denies chest pain.", "state_word"),
        ("He has severe flank pain.", "state_word"),
        ("He is in pain.", "state_word"),
        ("He has had chest pain 2 hours ago.", "vital_elsewhere"),
        ("He recalls an elevated blood pressure.", "vital_elsewhere"),
        ("The nurse could not read the HR.", "vital_elsewhere"),
        ("WBC is 9.1. Ten minutes later, his pulse is 120/min.", "several_passages"),
        ("WBC is 9.1. His vital signs are unchanged.", "several_passages"),
        ("WBC is 9.1. He describes it as 9 out of 10 in intensity.", "several_passages"),
        ("WBC is 9.1. Intraocular pressure is 18 mm Hg.", "several_passages"),
        ("He was seen on 2180-05-10.", "dated"),
        ("He left on 10 May 2180 06:27.", "dated"),
        ("WBC is 9.1.\nBackground: lives alone.", "like_our_own_lines"),
    ],
)
def test_a_note_that_speaks_of_vital_signs_elsewhere_is_refused(rest: str, reason: str) -> None:
    for text in (f"{BEFORE} BP 120/80 mmHg, pulse 88/min. {rest}", f"{rest} BP 120/80 mmHg. {AFTER}"):
        if reason != "several_passages" or text.startswith(BEFORE):
            with pytest.raises(UnsuitableError, match=f"^{reason}$"):
                frame_of(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{BEFORE} {AFTER}", "no_vital_signs"),
        ("BP 120/80 mmHg, pulse 88/min.", "nothing_left"),
        (f"{BEFORE} The fetal heart rate is 140/min.", "not_the_patients_own"),
        (f"{BEFORE} EKG shows an atrial rate of 260/min.", "not_the_patients_own"),
        (
            "A 3-year-old boy is crying with ear pain and his temperature has been 38.3 C for days.",
            "mixed_sentence",
        ),
    ],
)
def test_a_note_without_one_clear_passage_is_refused(text: str, reason: str) -> None:
    with pytest.raises(UnsuitableError, match=f"^{reason}$"):
        frame_of(text)


@pytest.mark.parametrize(
    "rest",
    [
        "He has hypertension and obstructive sleep apnea.",
        "He has abdominal pain after meals.",
        "He takes 20 mg daily every 4 hr. Muscle strength is 5/5 and vision is 20/50.",
        "There is a systolic murmur. Peripheral pulses are palpable.",
        "Hemoglobin 14 g/dL\nLeukocyte count 10,000/mm3",
    ],
)
def test_what_says_nothing_of_a_vital_sign_may_stay(rest: str) -> None:
    assert frame_of(f"{BEFORE} BP 120/80 mmHg, pulse 88/min. {rest}").after == rest


def test_a_note_in_a_frame_holds_the_users_text_around_exactly_the_records() -> None:
    frame = Frame("f", "A man has a cough.", "Lungs are clear.\nPlan: rest.")
    for seed in range(60):
        records = records_of(seed)
        note = render_records(records, "note", str(seed), frame=frame)
        lines = note.removeprefix(frame.before + "\n").removesuffix("\n" + frame.after)
        assert len(lines) == len(note) - len(frame.before) - len(frame.after) - 2
        check_prose(lines, records, BASE)
        bare = render_records(records, "note", str(seed))
        assert re.findall(r"\d+", lines) == re.findall(r"\d+", bare)
    opening = render_records(records, "note", "0", frame=Frame("f", "", "Lungs are clear."))
    assert opening.startswith(("Vital", "Charted"))
    for name in ("structured", "templated"):
        assert render_records(records, name, "0", frame=frame) == render_records(records, name, "0")


NOTES = [
    f"{BEFORE} Pulse is 88/min. {AFTER}",
    f"{AFTER} BP 120/80.",
    BEFORE,
    f"{BEFORE} Pulse is 70/min. {AFTER}",
]


def test_every_form_of_file_gives_the_same_frames_and_counts(tmp_path: Path) -> None:
    jsonl, table, plain = tmp_path / "n.jsonl", tmp_path / "n.csv", tmp_path / "n.txt"
    jsonl.write_text(
        "".join(json.dumps({"id": 1, "text": note}) + "\n\n" for note in NOTES), encoding="utf-8"
    )
    table.write_text("ID,Text\n" + "".join(f'1,"{note}"\n' for note in NOTES), encoding="utf-8-sig")
    plain.write_text("\n---\n".join([*NOTES, "  "]), encoding="utf-8")
    for path in (jsonl, table, plain):
        rejected: Counter[str] = Counter()
        frames = load_frames(path, rejected)
        assert [(frame.before, frame.after) for frame in frames] == [(BEFORE, AFTER), (AFTER, "")]
        assert rejected == {"no_vital_signs": 1, "repeated": 1}
        assert load_frames(path) == frames
        assert len({frame.frame_id for frame in frames}) == 2


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("n.jsonl", b'{"text": "a"}\n{"text": "\xff"}\n', ":2: not UTF-8 text; save the file as UTF-8"),
        ("n.jsonl", b'{"text": "a"}\n{"text": \n', ":2: not JSON"),
        ("n.jsonl", b'\n{"note": "a"}\n', ":2: no note; expected an object"),
        ("n.jsonl", b"[1]\n", ":1: no note; expected an object"),
        ("n.jsonl", b'{"text": 3}\n', ":1: no note; expected an object"),
        ("n.csv", b"id,note\n1,a\n", ":1: no column 'text'; got id, note; rename"),
        ("n.csv", b"", ":1: no column 'text'; got an empty file"),
        ("n.csv", b"id,text\n1,a\n2\n", ":3: 1 cells, expected 2; correct the row"),
        ("n.csv", b'id,text\n1,"a\n', ":2: not a readable CSV"),
        ("n.csv", b"id,text\n", ":1: no notes"),
        ("n.txt", b"", ":1: no notes"),
        ("n.txt", b"---\n---\n", ":1: no notes"),
        ("n.txt", b"A man.\n---\nA woman.\n", "none of 2 notes can be a frame (no_vital_signs 2)"),
        ("n.docx", b"", "notes are read from .jsonl, .csv, .txt"),
    ],
)
def test_a_file_that_holds_no_notes_is_one_line_with_place_and_remedy(
    tmp_path: Path, name: str, content: bytes, says: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError) as error:
        load_frames(path)
    assert str(error.value).startswith(str(path))
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_a_missing_file_is_named() -> None:
    with pytest.raises(InputError, match=r"^no/such.csv: no such file"):
        load_frames(Path("no/such.csv"))


def test_published_notes_become_frames_that_speak_of_no_vital_sign() -> None:
    rejected: Counter[str] = Counter()
    frames = load_frames(MEDEC, rejected)
    assert len(frames) + sum(rejected.values()) == figure(subset=70, whole=574)
    assert len(frames) > figure(subset=20, whole=200)
    named = r"vital signs|temperature|blood pressure|heart rate|\bpulse\b|respirations|fever|tachyc|hypoten"
    for frame in frames:
        rest = f"{frame.before}\n{frame.after}"
        assert not re.search(named, rest, re.IGNORECASE)
        assert not re.search(r"\d\s*mm ?Hg|\d\s*/min\b|\d [CF]\b", rest)
