"""Write `sbom.cdx.json`: every package of `requirements.lock` with version and licence, as CycloneDX.

Usage: python -m clinicnum.scripts.dev.sbom   (in an environment that scripts/test made)
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name
from packaging.version import Version

from clinicnum import __version__
from clinicnum.scripts.dev.pip_audit_result import pinned

ROOT = Path(__file__).resolve().parents[2]
LOCK, TARGET = ROOT / "requirements.lock", ROOT / "sbom.cdx.json"
LEFT_OUT = ("externalReferences", "properties")
"""Addresses of projects and details of the archive, which say nothing of what runs."""


def bill_of_materials(installed: dict[str, Any], packages: dict[str, str]) -> dict[str, Any]:
    """cyclonedx-py's bill of materials of an environment, reduced to the packages of a lock (name ->
    version).

    A local build, such as `2.13.0+cpu`, is the version of the lock. Raises ValueError naming packages that
    the environment has in another version, or not at all.
    """
    components, refs = [], {"root-component"}
    found: dict[str, str] = {}
    for one in installed["components"]:
        name, version = canonicalize_name(one["name"]), Version(one["version"]).public
        if name not in packages:
            continue
        found[name] = version
        refs.add(one["bom-ref"])
        kept = {key: value for key, value in one.items() if key not in LEFT_OUT}
        components.append({**kept, "version": version, "purl": f"pkg:pypi/{name}@{version}"})
    if wrong := sorted(set(packages.items()) ^ set(found.items())):
        named = ", ".join(f"{name} {version}" for name, version in wrong)
        raise ValueError(f"the environment is not that of the lock: {named}; run scripts/test --fast first")
    dependencies = [
        {**one, "dependsOn": [ref for ref in one.get("dependsOn", ()) if ref in refs]}
        for one in installed["dependencies"]
        if one["ref"] in refs
    ]
    metadata = {"component": {**installed["metadata"]["component"], "version": __version__}}
    return {**installed, "metadata": metadata, "components": components, "dependencies": dependencies}


def main() -> int:
    """Write the file; exit code 2 in an environment that is not that of the lock."""
    tool = str(Path(sys.executable).with_name("cyclonedx-py"))
    options = ("--pyproject", str(ROOT / "pyproject.toml"), "--output-reproducible", "--of", "JSON")
    done = subprocess.run(  # noqa: S603
        [tool, "environment", *options, sys.executable], capture_output=True, text=True, check=True
    )
    try:
        bill = bill_of_materials(json.loads(done.stdout), pinned(LOCK.read_text(encoding="utf-8")))
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    TARGET.write_text(json.dumps(bill, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{TARGET.name}: {len(bill['components'])} packages of {LOCK.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
