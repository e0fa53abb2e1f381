"""No key, token or password is in the repository: every tracked file is scanned with detect-secrets."""

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest
from detect_secrets import SecretsCollection
from detect_secrets.settings import default_settings

ROOT = Path(__file__).parents[2]
NO_SECRETS = {
    "0a1b2c3d4e5f60718293": "looks like a key, where the name of a variable is expected: refused",
    "AKIA0123456789ABCDEF": "the same",
    "LAB_VLLM_API_KEY": "the name of a variable",
    "PASSWORD": "a word of an address that a message shows as an example",
    "None": "an empty password, refused",
    "a long enough password": "accounts of tests and of a benchmark, in databases that are thrown away",
    "another long one": "the same, after a change",
    "correct horse": "the same",
    "hunter2": "stands in an address that must be refused and not repeated",
    "made-up-0.1": "accounts of the kept database of version 0.1, which holds made-up data alone",
    "password1": "accounts of tests, in databases that are thrown away",
    "secret": "in an address that is refused",
    "only ann wrote this": "a text that nobody else may read",
    "right": "a password that fits, of an account that is nowhere kept",
    "sk-secret\\n": "a key with a line end, refused",
    "wrong": "a password that does not fit",
}
"""What looks like a secret, word for word -> why it is none."""
DIGESTS = {
    "clinicnum/inference/small_model.py": "of the model that is fetched",
    "scripts/dev/llama_server": "of the source that is built",
    "clinicnum/records/mimic.py": "of the open demo's list of subjects",
    "tests/clinicnum/test_records_synthetic.py": "of made-up records",
    "tests/clinicnum/test_prompt.py": "of the wordings of prompts",
    "tests/annotations/test_leaderboard.py": "of a leaderboard's tables",
}
"""Files that hold a SHA-256, and of what."""
# A line without any of these holds nothing that the scanner looks for, and a scan takes far longer.
_WORTH_A_SCAN = re.compile(
    r"[A-Za-z0-9+/=_-]*\d[A-Za-z0-9+/=_-]{15}|[A-Za-z0-9+/=_-]{15}\d|[A-Za-z0-9+/=]{32}"
    r"|[A-Za-z]_?key\b|token|secret|pass|pwd|credential|BEGIN|://[^/\s]*@",
    re.IGNORECASE,
)


def found_in(root: Path, names: Iterable[str], scratch: Path) -> list[tuple[str, str, str]]:
    """File, kind and text of all that looks like a secret, in the lines that could hold one."""
    secrets = SecretsCollection(root=str(scratch))
    with default_settings():
        for name in names:
            text = (root / name).read_bytes().decode("utf-8", errors="replace")
            lines = [line for line in text.splitlines() if _WORTH_A_SCAN.search(line)]
            if lines:
                (scratch / name).parent.mkdir(parents=True, exist_ok=True)
                (scratch / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
                secrets.scan_file(name)
    return [(name, one.type, str(one.secret_value)) for name, one in secrets]


def is_known(name: str, kind: str, value: str) -> bool:
    digest = kind == "Hex High Entropy String" and name in DIGESTS and len(value) == 64
    return value in NO_SECRETS or digest


@pytest.fixture(scope="module")
def tracked() -> list[str]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("no git here to tell which files are tracked")
    names = [name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()]
    return [name for name in names if ROOT / name != Path(__file__)]  # which plants some


def test_no_tracked_file_holds_a_secret(tracked: list[str], tmp_path: Path) -> None:
    found = found_in(ROOT, tracked, tmp_path)
    assert len(tracked) > 500
    assert not [one for one in found if not is_known(*one)]
    # The list names nothing that is gone.
    assert {value for _, _, value in found} >= NO_SECRETS.keys()
    hexadecimal = {name for name, kind, value in found if "Hex" in kind and value not in NO_SECRETS}
    assert hexadecimal == DIGESTS.keys()


PLANTED = {
    "AWS Access Key": 'key = "AKIA' + 'Z7QX3MPL5RTV2WYB"',
    "GitHub Token": "url = ghp_" + "a8Kd03Lq9Zx1Vb7Nm4Pw6Rt2Ys5Uc0Ie8Qj3",
    "Private Key": "-----BEGIN RSA " + "PRIVATE KEY-----",
    "Secret Keyword": 'password = "' + 'Tr0ub4dor-and-3"',
    "Basic Auth Credentials": "postgresql://" + "clin:s3cr3t-of-theirs@db/clinicnum",
    "Hex High Entropy String": 'x = "' + '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"',
    "JSON Web Token": "jwt eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0."
    "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
}


@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_secret_is_found(kind: str, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "planted.py").write_text(f"import os\n{PLANTED[kind]}\n")
    found = found_in(source, ["planted.py"], tmp_path / "scratch")
    assert kind in {one[1] for one in found if not is_known(*one)}
