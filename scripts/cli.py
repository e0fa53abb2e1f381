"""The `clinicnum` command: one Typer app; every command is a module in `clinicnum.scripts.commands`.

Exit codes: 0 success, 1 a check failed or the request was refused, 2 bad input, 130 interrupted.
"""

import importlib
import os
import sys
import warnings
from collections.abc import Sequence

import typer

from clinicnum.errors import ClinicnumError, Unavailable
from clinicnum.optional_dependencies import explain_missing

COMMANDS: tuple[tuple[str, str, str], ...] = (
    ("generate", "clinicnum.scripts.commands.generate", "generate"),
    ("lint", "clinicnum.scripts.commands.lint", "lint"),
    ("run", "clinicnum.scripts.commands.run", "run"),
    ("engines", "clinicnum.scripts.commands.engines", "engines"),
    ("merge", "clinicnum.scripts.commands.merge", "merge"),
    ("score", "clinicnum.scripts.commands.score", "score"),
    ("samples", "clinicnum.scripts.commands.samples", "samples"),
    ("robustness", "clinicnum.scripts.commands.robustness", "robustness"),
    ("attack", "clinicnum.scripts.commands.attack", "attack"),
    ("tables", "clinicnum.scripts.commands.paper_tables", "tables"),
    ("slices", "clinicnum.scripts.commands.slices", "slices"),
    ("hidden-states", "clinicnum.scripts.commands.hidden_states", "hidden_states"),
    ("agreement", "clinicnum.scripts.commands.agreement", "agreement"),
    ("report", "clinicnum.scripts.commands.report", "report"),
    ("explore", "clinicnum.scripts.commands.explore", "explore"),
    ("leaderboard", "clinicnum.scripts.commands.leaderboard", "leaderboard"),
    ("compare-prompts", "clinicnum.scripts.commands.compare_prompts", "compare_prompts"),
    ("compare-reports", "clinicnum.scripts.commands.compare_reports", "compare_reports"),
    ("export", "clinicnum.scripts.commands.export", "export"),
    ("verify", "clinicnum.scripts.commands.verify", "verify"),
    ("serve", "clinicnum.scripts.commands.serve", "serve"),
    ("worker", "clinicnum.scripts.commands.worker", "worker"),
    ("backup", "clinicnum.scripts.commands.backup", "backup"),
    ("restore", "clinicnum.scripts.commands.backup", "restore"),
    ("demo", "clinicnum.scripts.commands.demo", "demo"),
)
"""(command, module, function), in the order of the workflow."""

GROUPS: tuple[tuple[str, str, str, tuple[tuple[str, str], ...]], ...] = (
    (
        "study",
        "clinicnum.scripts.commands.study",
        "Create, list, change and close labelling projects.",
        (("create", "create"), ("list", "list_all")),
    ),
    (
        "study",
        "clinicnum.scripts.commands.change_study",
        "",
        (
            *(("pause", "pause"), ("reopen", "reopen"), ("close", "close")),
            *(("guideline", "guideline"), ("deadline", "deadline"), ("criteria", "criteria")),
            ("add-annotator", "add_annotator"),
        ),
    ),
    (
        "runs",
        "clinicnum.scripts.commands.runs",
        "What models answered, in the database.",
        (
            *(("add", "add"), ("list", "list_all"), ("show", "show")),
            *(("label", "label"), ("compare", "compare")),
        ),
    ),
    (
        "jobs",
        "clinicnum.scripts.commands.jobs.jobs_command",
        "What was asked of workers.",
        (("list", "list_all"), ("cancel", "cancel"), ("retry", "retry"), ("log", "log")),
    ),
    (
        "reports",
        "clinicnum.scripts.commands.frozen_reports",
        "Reports that were frozen on the page Reports.",
        (("list", "list_all"), ("save", "save")),
    ),
    (
        "import",
        "clinicnum.scripts.commands.import_",
        "Bring in items, generations and labels made elsewhere.",
        (("items", "items"), ("generations", "generations"), ("labels", "labels")),
    ),
    (
        "users",
        "clinicnum.scripts.commands.users",
        "Accounts.",
        (
            *(("add", "add"), ("list", "list_all"), ("reset", "reset")),
            *(("switch-off", "switch_off"), ("switch-on", "switch_on")),
            ("role", "role"),
        ),
    ),
    (
        "audit",
        "clinicnum.scripts.commands.audit",
        "The log of who changed what.",
        (("verify", "verify"), ("anchor", "anchor"), ("key", "key")),
    ),
    (
        "templates",
        "clinicnum.scripts.commands.templates",
        "The bank of question templates.",
        (("list", "list_all"), ("check", "check"), ("diff", "diff")),
    ),
    (
        "templates",
        "clinicnum.scripts.commands.templates_release",
        "",
        (
            *(("publish", "publish"), ("import", "import_"), ("export", "export")),
            *(("trace", "trace"), ("regress", "regress")),
        ),
    ),
    ("templates", "clinicnum.scripts.commands.templates_review", "", (("review", "review"),)),
    (
        "items",
        "clinicnum.scripts.commands.accepted_items",
        "Items made from failures of imported questions, for the next version of their benchmark.",
        (("list", "list_all"), ("write", "write")),
    ),
)
"""(group, module, help, ((command, function), ...)); a group may have two modules."""


def build_app() -> typer.Typer:
    """The Typer app with all commands."""
    app = typer.Typer(
        name="clinicnum",
        help="Find out where and why language models get clinical numbers wrong.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    for name, module, function in COMMANDS:
        app.command(name)(getattr(importlib.import_module(module), function))
    subs: dict[str, typer.Typer] = {}
    for group, module, help_text, members in GROUPS:
        if group not in subs:
            subs[group] = typer.Typer(help=help_text, no_args_is_help=True)
            app.add_typer(subs[group], name=group)
        for name, function in members:
            subs[group].command(name)(getattr(importlib.import_module(module), function))
    return app


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _fail(message: str, code: int) -> int:
    print(f"error: {_one_line(message)}", file=sys.stderr)
    return code


def run_command(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code; user errors become one line on standard error."""
    try:
        with explain_missing():
            result = build_app()(args=arguments, prog_name="clinicnum", standalone_mode=False)
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        command = context.command_path if context is not None else "clinicnum"
        message = error.format_message().rstrip(".")
        return _fail(f"{message}; see '{command} --help'", 2)
    except Unavailable as error:
        return _fail(f"{error} ({error.where})", 2)
    except ClinicnumError as error:
        return _fail(str(error), 2)
    except (KeyboardInterrupt, typer.Abort):
        return _fail("interrupted; run the same command again to go on", 130)
    except OSError as error:
        return _fail(
            f"{error.filename or 'file system'}: {error.strerror or error}; check the path and its rights", 2
        )
    return result if isinstance(result, int) else 0


def quieten_libraries() -> None:
    """Keep libraries imported from now on offline, without telemetry or deprecation warnings."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
    warnings.filterwarnings("ignore", category=DeprecationWarning)


def main() -> None:
    """Entry point of the `clinicnum` command."""
    quieten_libraries()
    sys.exit(run_command())


if __name__ == "__main__":
    main()
