"""Reports of benchmarks made elsewhere, from open data to a verified bundle, for people to read.

    python -m clinicnum.scripts.dev.imported_reports --out FOLDER [--small] [--only medcalc,medec]

MedCalc-Bench with stored answers, MEDEC, multiple choice, a CSV of an unknown benchmark, criteria, pairs,
ratings and claims: imported, answered by the small model where no answers are stored, scored, labelled by
scripts, adjudicated, reported. Each report is in FOLDER/NAME, with the files behind it in its folder
`items`. Answers are kept in FOLDER/answers, so that reports are built anew without a model. Scripted
annotators know the gold: figures on agreement and on failures say nothing about people.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from clinicnum.errors import InputError
from clinicnum.scripts.dev.imported_reports.reports import REPORTS
from clinicnum.scripts.dev.imported_reports.workspace import Workspace, open_folder

ROOT = Path(__file__).resolve().parents[3]
SMALL = {"limit": 6, "most_tokens": 6, "threads": 1}


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the reports and print the path and the time of each; returns the exit code."""
    asked = _parser().parse_args(arguments)
    try:
        names = _names(asked.only)
        open_folder(asked.out)
        for name in names:
            start = time.monotonic()
            size = SMALL if asked.small else {}
            space = Workspace(asked.out.resolve(), name, ROOT / "tests" / "data", **size)
            space.begin()
            REPORTS[name](space)
            page = space.write_report()
            print(f"{page}  {time.monotonic() - start:.1f} s", flush=True)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m clinicnum.scripts.dev.imported_reports",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("--out", type=Path, required=True, help="folder for all reports")
    parser.add_argument(
        "--small", action="store_true", help="six items of each benchmark, answers of six tokens"
    )
    parser.add_argument("--only", default=",".join(REPORTS), help="reports, with commas; default: all")
    return parser


def _names(only: str) -> list[str]:
    names = only.split(",")
    if unknown := sorted(set(names) - set(REPORTS)):
        raise InputError(f"--only {','.join(unknown)}: no such report; expected some of {','.join(REPORTS)}")
    return names


if __name__ == "__main__":
    sys.exit(main())
