"""Configurations of other programs on the pages: read here, and checked by the program itself if it is there.

`scripts/test` unpacks nginx and Apache from Debian's packages, so that no service of theirs is started.
"""

import os
import re
import shlex
import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import yaml
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from clinicnum.scripts.commands.common.install_small_model import cache_folder
from tests.clinicnum.serving import free_port
from tests.docs.blocks import ROOT, blocks_of

DEPLOY = blocks_of("docs/deploy.md")
SERVER, SIGN_ON, SLOW_CLIENTS = (block.text for block in DEPLOY if block.language == "nginx")
(APACHE,) = (block.text for block in DEPLOY if block.language == "apache")
UNITS = [block.text for block in DEPLOY if block.language == "ini"]
UNPACKED = cache_folder() / "debian"
"""Where `scripts/test` unpacks packages of Debian."""
WORDS = {
    "upstream": 1,
    "server": (0, 1),
    "listen": (1, 2),
    "server_name": 1,
    "ssl_certificate": 1,
    "ssl_certificate_key": 1,
    "client_max_body_size": 1,
    "client_header_timeout": 1,
    "client_body_timeout": 1,
    "send_timeout": 1,
    "location": 1,
    "proxy_pass": 1,
    "proxy_set_header": 2,
    "proxy_http_version": 1,
    "auth_basic": 1,
    "auth_basic_user_file": 1,
}
"""nginx's directives on the page -> how many values each takes, by <https://nginx.org/en/docs/dirindex.html>."""
UNIT_KEYS = {
    "Unit": {"Description", "After"},
    "Service": {"User", "WorkingDirectory", "Environment", "ExecStart", "Restart", "UMask"},
    "Install": {"WantedBy"},
}
"""Sections and keys of systemd.unit(5), systemd.service(5) and systemd.exec(5) on the page."""


def whole_nginx() -> str:
    """The three blocks put together as the page says."""
    within = SERVER.replace("location / {\n", "location / {\n" + SIGN_ON)
    return within.replace("    location /", SLOW_CLIENTS + "    location /")


def program(name: str) -> Path | None:
    """A program of this machine, or one that was unpacked."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:{UNPACKED / 'usr' / 'sbin'}")
    return Path(found) if found else None


def checked(*command: str | Path) -> str:
    """What a program's own check prints; it must find nothing wrong."""
    libraries = str(UNPACKED / "usr" / "lib" / "x86_64-linux-gnu")
    environment = os.environ | {"LD_LIBRARY_PATH": libraries, "TMPDIR": "/tmp"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def certificate(folder: Path) -> tuple[Path, Path]:
    """A self-signed certificate and its key."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), 1, now, now + timedelta(days=1)).sign(
        key, hashes.SHA256()
    )
    of_server, of_key = folder / "server.pem", folder / "server.key"
    of_server.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    form = serialization.PrivateFormat.PKCS8
    of_key.write_bytes(key.private_bytes(serialization.Encoding.PEM, form, plain))
    return of_server, of_key


def directives(text: str) -> list[list[str]]:
    """The directives of an nginx configuration, each as its words; ValueError for what is not one."""
    bare = re.sub(r"#.*", "", text)
    if bare.count("{") != bare.count("}"):
        raise ValueError("blocks are not closed")
    found = [shlex.split(part) for part in re.split(r"[;{}]", bare) if part.strip()]
    for name, *values in found:
        taken = WORDS[name]
        if len(values) not in (taken if isinstance(taken, tuple) else (taken,)):
            raise ValueError(f"{name} takes {taken} values; got {values}")
    return found


def test_the_nginx_blocks_are_a_configuration(tmp_path: Path) -> None:
    names = [one[0] for one in directives(whole_nginx())]
    assert {"proxy_pass", "auth_basic", "send_timeout"} <= set(names)
    nginx = program("nginx")
    if nginx is None:
        return  # read above, which is less
    server, key = certificate(tmp_path)
    text = whole_nginx().replace("/etc/ssl/certs/clinicnum.pem", str(server))
    text = text.replace("/etc/ssl/private/clinicnum.key", str(key)).replace("443", str(free_port()))
    (tmp_path / "logs").mkdir()
    for folder in ("body", "proxy", "fastcgi", "uwsgi", "scgi"):
        text += f"{folder.replace('body', 'client_body')}_temp_path {tmp_path / folder};\n"
    config = tmp_path / "nginx.conf"
    head = f"pid {tmp_path / 'pid'};\nerror_log {tmp_path / 'logs' / 'error.log'};\nevents {{}}\n"
    config.write_text(f"{head}http {{\naccess_log off;\n{text}}}\n", encoding="utf-8")
    assert "test is successful" in checked(nginx, "-t", "-p", tmp_path, "-c", config)


@pytest.mark.parametrize("wrong", ["listen;", "server { listen 443;", "proxy_header Host $host;"])
def test_a_wrong_configuration_is_noticed_without_nginx(wrong: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        directives(wrong)


def test_the_apache_lines_are_directives(tmp_path: Path) -> None:
    line = r"RequestHeader (unset [\w-]+ early|set [\w-]+ \"expr=%\{\w+\}\")"
    assert all(re.fullmatch(line, one) for one in APACHE.splitlines())
    apache = program("apache2")
    if apache is None:
        return  # read above, which is less
    modules = UNPACKED if apache.is_relative_to(UNPACKED) else Path("/")
    loaded = "".join(
        f"LoadModule {name}_module {modules / 'usr/lib/apache2/modules' / f'mod_{name}.so'}\n"
        for name in ("mpm_event", "authz_core", "headers")
    )
    head = f"ServerRoot {tmp_path}\nServerName x\nErrorLog {tmp_path / 'log'}\nListen {free_port()}\n"
    config = tmp_path / "apache.conf"
    config.write_text(head + loaded + APACHE, encoding="utf-8")
    assert "Syntax OK" in checked(apache, "-t", "-f", config)


@pytest.mark.parametrize("unit", UNITS, ids=["server", "worker"])
def test_the_units_of_systemd_are_units(unit: str, tmp_path: Path) -> None:
    sections = re.split(r"^\[(\w+)\]\n", unit, flags=re.MULTILINE)[1:]
    for name, text in zip(sections[::2], sections[1::2], strict=True):
        keys = {line.partition("=")[0] for line in text.splitlines() if line}
        assert keys <= UNIT_KEYS[name]
    if shutil.which("systemd-analyze") is None:
        return  # read above, which is less
    path = tmp_path / "clinicnum.service"
    path.write_text(unit.replace("/srv/clinicnum/.venv/bin/clinicnum", "/bin/true"), encoding="utf-8")
    assert checked("systemd-analyze", "verify", path) == ""


def test_the_container_is_run_as_its_file_says() -> None:
    (block,) = (one for one in DEPLOY if one.text.startswith("docker "))
    build, run = map(shlex.split, block.lines())
    assert build == ["docker", "build", "--file", "Containerfile", "--tag", "clinicnum", "."]
    file = (ROOT / "Containerfile").read_text(encoding="utf-8")
    options = dict(zip(run[2:-1:2], run[3:-1:2], strict=True))
    assert (run[:2], run[-1], set(options)) == (["docker", "run"], "clinicnum", {"--publish", "--volume"})
    assert f"EXPOSE {options['--publish'].rpartition(':')[2]}\n" in file
    assert f"VOLUME {options['--volume'].partition(':')[2]}\n" in file


def test_the_rule_for_git_leaves_the_bytes_of_a_release_alone(tmp_path: Path) -> None:
    (rule,) = (block.text for block in blocks_of("docs/bank.md") if block.language == "gitattributes")
    (tmp_path / ".gitattributes").write_text(rule, encoding="utf-8")
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    asked = ["git", "check-attr", "text", "releases/ward/MANIFEST.json"]
    done = subprocess.run(asked, cwd=tmp_path, check=True, capture_output=True, text=True)
    assert done.stdout == "releases/ward/MANIFEST.json: text: unset\n"


def test_the_configuration_of_litellm_names_each_model_once_and_takes_keys_from_the_environment() -> None:
    (text,) = (block.text for block in blocks_of("docs/scale-out.md") if block.language == "yaml")
    config = yaml.safe_load(text)
    assert set(config) == {"model_list", "general_settings"}
    names = [model["model_name"] for model in config["model_list"]]
    assert sorted(set(names)) == sorted(names)
    for model in config["model_list"]:
        assert set(model) == {"model_name", "litellm_params"}
        keys = {name: value for name, value in model["litellm_params"].items() if "key" in name}
        assert keys
        assert all(value.startswith("os.environ/") for value in keys.values())
