"""How the readers of bundles, releases, runs, servers' answers and backups are called."""

import json
from pathlib import Path

from tests.fuzz import seeds, study_seeds
from tests.fuzz.reading import drained
from tests.fuzz.seeds import Files


def bundle(folder: Path) -> object:
    return _verified(folder, study_seeds.bundle())


def earlier_bundle(folder: Path) -> object:
    return _verified(folder, study_seeds.earlier_bundle())


def _verified(folder: Path, seed: Files) -> object:
    """The files as a bundle that its own lists call whole, in its archive."""
    from clinicnum.annotations.bundle.archive import Unpacked, pack, unpack
    from clinicnum.annotations.bundle.verify import verify_bundle

    files = sealed({name: (folder / name).read_bytes() for name in seed}, seed)
    (folder / "b.zip").write_bytes(pack(files))
    unpacked: Unpacked = unpack(folder / "b.zip")
    return [str(fault).encode() for fault in verify_bundle(unpacked, generated_by="t").faults]


def sealed(files: Files, seed: Files) -> Files:
    from clinicnum.annotations.bundle.manifest import MANIFEST, SUMS, manifest_bytes, sums_bytes

    about = json.loads(seed[MANIFEST])
    del about["files"], about["format"]
    for name, make in ((MANIFEST, lambda: manifest_bytes(files, about)), (SUMS, lambda: sums_bytes(files))):
        if files[name] == seed[name]:
            files[name] = make()
    return files


def bundle_archive(folder: Path) -> object:
    from clinicnum.annotations.bundle.archive import unpack
    from clinicnum.annotations.bundle.verify import verify_bundle

    return [str(fault) for fault in verify_bundle(unpack(folder / "b.zip"), generated_by="t").faults]


def release(folder: Path) -> object:
    """Its manifest made to agree with what the files are, where it is not itself spoilt."""
    from clinicnum.release.check import check_folder, read_release
    from clinicnum.release.manifest import MANIFEST

    check_folder(folder)
    seal_release(folder, MANIFEST)
    check_folder(folder)
    return read_release(folder)


def seal_release(folder: Path, name: str) -> None:
    """Write a manifest of what is there, as a forger would."""
    from hashlib import sha256

    from clinicnum.release.manifest import Manifest

    if (folder / name).read_bytes() != study_seeds.release()[name]:
        return
    manifest = Manifest.model_validate_json((folder / name).read_bytes())
    listed = {
        file: one.model_copy(
            update={
                "sha256": sha256((folder / file).read_bytes()).hexdigest(),
                **({"bytes": (folder / file).stat().st_size} if hasattr(one, "bytes") else {}),
            }
        )
        for file, one in manifest.files.items()
    }
    (folder / name).write_bytes(manifest.model_copy(update={"files": listed}).sealed().text().encode())


def taxonomy(folder: Path) -> object:
    from clinicnum.annotations.taxonomy import load_taxonomy

    return drained([load_taxonomy(folder / "taxonomy.yaml")])


def fields(folder: Path) -> object:
    from clinicnum.scripts.commands.common.study_option_files import read_fields

    return drained(read_fields(folder / "fields.yaml"))


def axes(folder: Path) -> object:
    from clinicnum.scripts.commands.common.study_option_files import read_axes_option

    return drained(read_axes_option(str(folder / "axes.yaml"), None))


def criteria(folder: Path) -> object:
    from clinicnum.annotations.criteria.read import read_criteria

    return drained(read_criteria(folder / "criteria"))


def own_prompt(folder: Path) -> object:
    from clinicnum.scripts.commands.inference.custom_prompt import parse_prompt
    from tests.clinicnum.answering import instance

    return str(parse_prompt(folder / "prompt.yaml").messages(instance())).encode()


def guideline(folder: Path) -> object:
    from clinicnum.scripts.commands.common.study_option_files import read_guideline

    return read_guideline(folder / "guideline.md").encode()


def heads(folder: Path) -> object:
    from clinicnum.db.work.audit.detect_truncated_log import read_heads

    return drained(read_heads(folder / "audit.json"))


def anchors(folder: Path) -> object:
    from clinicnum.annotations.audit_anchor import check_signatures
    from clinicnum.db.audit_anchors import ANCHORS, PUBLIC_KEY, read_anchors, read_keys

    return drained(check_signatures(read_anchors(folder / ANCHORS), read_keys(folder / PUBLIC_KEY)))


def hidden(folder: Path) -> object:
    from clinicnum.robustness.hidden_and_clinical_states import read_hidden

    return read_hidden(folder / "h.npy", benchmark_sha256="0" * 64).vectors.sum()


def report(folder: Path) -> object:
    from clinicnum.annotations.exports.report_files import read_report

    return drained([read_report((folder / "report.json").read_bytes(), "report.json")])


def journal(folder: Path) -> object:
    from clinicnum.inference.generations_journal import complete_lines
    from clinicnum.inference.merge_shards import merge

    shards = [path for path in folder.iterdir() if "part" in path.name]
    found = drained(line.generation for path in shards for line in complete_lines(path))
    return found, merge(folder / "generations.jsonl")


def shards() -> Files:
    """Two shards of a run that two processes made."""
    from clinicnum.inference.shards import Part, shard_path
    from clinicnum.io.jsonl import meta_path

    answers = seeds.made()["generations.jsonl"].splitlines(keepends=True)
    meta = json.loads(seeds.made()["generations.jsonl.meta.json"])
    del meta["sha256"]
    found: Files = {}
    for rank in range(2):
        path = shard_path(Path("generations.jsonl"), Part(rank, 2))
        found[path.name] = b"".join(answers[rank::2])
        found[meta_path(path).name] = json.dumps(meta).encode()
    return found


def config(folder: Path) -> object:
    from clinicnum.inference.chat_template_inputs import check_arguments, template_arguments
    from clinicnum.inference.model_metadata import chat_template, context_window, folder_revision

    template = chat_template(folder)
    arguments = (folder / "arguments.txt").read_text(encoding="utf-8", errors="replace").splitlines()
    check_arguments(template, template_arguments(arguments))
    return folder_revision(folder), context_window(folder)


def reply(folder: Path) -> object:
    from clinicnum.inference.openai.completion import read_reply
    from clinicnum.inference.openai.response_body import json_of

    try:
        body = json_of((folder / "body.json").read_bytes())
    except ValueError:
        return None
    found = read_reply(body, instance_id="i", max_new_tokens=9, latency_s=1.0)
    return found


def refusal(folder: Path) -> object:
    from clinicnum.inference.openai.error_response import advice, safe_line, server_message, verdict

    message = server_message((folder / "body.json").read_bytes())
    line = safe_line(400, message, secrets=["key"], prompt=["a prompt that was sent"])
    assert "\n" not in line
    assert len(line) < 500
    return verdict(400, message), advice(400, message)


def restore(folder: Path) -> object:
    from clinicnum.db.backup.restore import restore

    target = folder / "restored.db"
    target.unlink(missing_ok=True)
    try:
        return restore(folder / "a.backup", f"sqlite:///{target}")
    except BaseException:
        assert not target.exists(), "half a database was left"
        raise
