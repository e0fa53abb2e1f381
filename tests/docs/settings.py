"""What the shell blocks of each page need beside the common files, and which commands are not run."""

from dataclasses import dataclass, field
from pathlib import Path

from tests.docs.blocks import ROOT, blocks_of
from tests.fuzz.seed_items import HEALTHBENCH, NOTE, STATE, lines

NOT_HERE = {
    r"scripts/(demo|docs|test)\b": "installs packages; demo and site have tests of their own",
    r"scripts/dev/evidence ": "runs tests of this suite",
    r"pip install ": "asks a package registry",
    r"hf download ": "downloads a model of 16 GB",
    r"clinicnum items write ": "needs items that experts accepted: `test_item_draft_page.py` ends in it",
    r"docker ": "needs a container engine; `test_configurations.py` reads the file",
    r"(vllm serve|.*--(ray-)?engine vllm)": "needs a GPU (`scripts/dev/evidence gpu`); options are checked",
    r"python -m clinicnum.scripts.dev.gpu_evidence": "needs a GPU, or minutes: `test_gpu_evidence.py`",
    r"python -m sglang": "needs a GPU",
    r"accelerate launch --multi_gpu": "needs GPUs",
    r"\$\(scripts/dev/llama_server\)": "compiles a server; `test_inference_openai_llama.py` runs it",
    r"(export AZURE_API_KEY|python3 -m venv litellm|litellm/)": "needs a cloud account and a registry: "
    "`scripts/dev/evidence litellm`",
}
"""The beginning of a command -> why it is not run. The rest of its block is run without it."""

SMALLER = {
    r"--preset \w+": "--quota retrieval=1,arithmetic=1",
    r"clinicnum generate (?!.*--(quota|preset))": "clinicnum generate --quota retrieval=1,arithmetic=1 ",
    r"clinicnum run ": "clinicnum run --max-new-tokens 4 ",
    r"clinicnum attack ": "clinicnum attack --max-new-tokens 12 ",
    r"--samples 5": "--samples 2",
    r"--budget 5": "--budget 1",
    r"--size \d+": "--size 10",
}
"""Everywhere: the same on less."""


@dataclass(frozen=True)
class Setting:
    """What a page's blocks are run with."""

    material: bool = True
    """Whether the common files and the database are there."""
    files: dict[str, str | bytes | Path] = field(default_factory=dict)
    """Name -> its content, or a file or folder to copy."""
    swaps: dict[str, str] = field(default_factory=dict)
    """Pattern -> what stands for it; `{model}`, `{small}` (model) and `{server}` are of the test."""
    small_model: bool = False
    """Whether the model is the small one, which answers something rightly, not one of random weights."""
    postgres: bool = False
    """Whether commands find a PostgreSQL server."""
    before: str = ""
    """Commands ahead of the page's own: what its reader has done by then."""


_PASSWORD = {r"(clinicnum users (?:add|reset) .*)": r"echo made-up-0 | \1 --password-stdin"}
_LABELS = "item,annotator,subject,template,label\n" + "".join(
    f"{item},{who},p{item // 2},t{item % 3},{label}\n"
    for item, pair in enumerate(("XX", "XY", "YY", "ZZ", "XX", "YX", "ZZ", "YY"))
    for who, label in zip(("ann", "ben"), pair, strict=True)
)


def _labels(*names: str) -> str:
    text = _LABELS
    for letter, name in zip("XYZ", names, strict=True):
        text = text.replace(f",{letter}\n", f",{name}\n")
    return text


def _block_of(page: str, language: str, begins: str = "") -> str:
    """The first block of a language on another page, or the first that begins so."""
    blocks = [block.text for block in blocks_of(page) if block.language == language]
    return next(text for text in blocks if text.startswith(begins))


_MODEL = {r"FOLDER": "{model}", r"\bNAME\b": "{model}", r"http://127\.0\.0\.1:8000/v1": "{server}"}
_DATA, _IMPORTED = ROOT / "tests" / "data", ROOT / "tests" / "clinicnum" / "imported"
_MEDCALC, _MEDEC = _DATA / "medcalc-bench", _DATA / "medec"
_SLURM = {r"slurm_array 8 --gres=\S+( --time=\S+)?": "slurm_array 2 --time=1:00"}
_ONE_MACHINE = {r"--nnodes 2": "--nnodes 1", r"10\.0\.0\.1": "127.0.0.1", r"per-node [48]": "per-node 2"}
_LITELLM = {r"http://127.0.0.1:4000/v1 --api-key-env LITELLM_MASTER_KEY": "{server}", "our-gpt": "{model}"}
_QUIZ = lines(
    {"id": "a", "question": "Which animal barks?", "options": ["the fish", "the dog"], "answer": "B"},
    {"id": "b", "question": "What is the colour of blood?", "options": ["blue", "red"], "answer": "B"},
)
"""Questions of which the small model answers one rightly, so that there is something to attack."""
_TO_ATTACK = {
    r"generate .* --out attacked": "import items --format choice --from choices.jsonl --open-data "
    "--variants options.shuffle.1 --out attacked",
    r"(attack --benchmark attacked.jsonl) --model FOLDER": r"\1 --model {small}",
}
_FEW_QUESTIONS = "clinicnum generate --quota retrieval=2,arithmetic=2 --out bench.jsonl"
"""Enough for the pages that say how a model is run: each command asks all of them."""
_CRITERIA = "item_id,criterion_id,text,weight\np1,1,Is safe and short.,4\n"
SETTINGS = {
    "docs/accounts.md": Setting(material=False, swaps=_PASSWORD),
    "docs/agreement.md": Setting(
        files={
            "labels.csv": _labels("a", "b", "none"),
            "severities.csv": _labels("mild", "moderate", "severe"),
        }
    ),
    "docs/attack.md": Setting(
        material=False,
        small_model=True,
        files={"choices.jsonl": _QUIZ, "brief.yaml": _block_of("docs/prompts.md", "yaml")},
        swaps=_MODEL
        | {
            r"attack --benchmark bench.jsonl": "attack --benchmark quiz.jsonl",
            r"(--format choice)": r"\1 --open-data",
            r"generate .* --out plain": "import items --format choice --from choices.jsonl --open-data "
            "--variants options.shuffle.1 --out plain",
        },
    ),
    "docs/bank.md": Setting(
        files={"my-bank/arithmetic.yaml": _block_of("docs/add-a-template.md", "yaml")},
        swaps={
            r"(publish .*)": r"\1 --include-unreviewed",
            r"releases/": "",
            r"g.jsonl --scores s.jsonl": "generations.jsonl --scores scores.jsonl",
            r"ward-2026\.2": "ward-2026.1",
        },
    ),
    "docs/criteria.md": Setting(
        files={"healthbench.jsonl": lines(HEALTHBENCH), "criteria.csv": _CRITERIA},
        swaps={"run-of-gpt": "run-of-talks"},
    ),
    "docs/deploy.md": Setting(
        swaps={
            r"/srv/clinicnum/clinicnum.db": "{folder}/served.db",
            r"users add root .*": r"\g<0> <<<made-up-0 --password-stdin",
        },
        postgres=True,
    ),
    "docs/gpu.md": Setting(swaps=_SLURM, before=f"ln -s {ROOT} clinicnum"),
    "docs/imports.md": Setting(
        files={
            "test_data.csv": _MEDCALC / "test_data_v1.csv",
            "gpt-4o-mini_direct_answer.jsonl": _MEDCALC / "gpt-4o-mini_direct_answer.jsonl",
            "MEDEC-MS-ValidationSet.csv": _MEDEC
            / "MEDEC-MS-ValidationSet-with-GroundTruth-and-ErrorType.csv",
            "healthbench.jsonl": lines(HEALTHBENCH),
            "responses.jsonl": lines({"prompt_id": "p1", "response": "Wait."}),
            "samples_task_2026-11-22.jsonl": _IMPORTED / "lm_eval_samples.jsonl",
            "log.eval": _IMPORTED / "inspect.eval",
            "asked-elsewhere.csv": _IMPORTED / "robbench.csv",
            "cases.csv": "case,who,cause,patient\n1,ann,a,p1\n1,ben,b,p1\n",
            "annotation_output/ann/user_state.json": lines(STATE),
        },
        swaps={
            r"--id-field doc.id --benchmark bench": "--benchmark asked-elsewhere",
            r"--benchmark bench": "--benchmark asked-elsewhere",
        },
        before="clinicnum import items --format clinicnumrobbench --from asked-elsewhere.csv "
        "--out asked-elsewhere.jsonl\n"
        "clinicnum export --study first --out export --format label-studio && cp export/label_studio.json .",
    ),
    "docs/items.md": Setting(swaps={r"lint next.jsonl": "lint bench.jsonl"}),
    "docs/loop.md": Setting(
        material=False,
        files={
            "my-notes.jsonl": lines({"text": NOTE}),
            "test_data.csv": _MEDCALC / "test_data_v1.csv",
            "project.json": _block_of("docs/imports.md", "json", begins="[{"),
            "choices.jsonl": _QUIZ,
        },
        swaps=_PASSWORD | _TO_ATTACK | _MODEL | {r"retrieval=100": "retrieval=1"},
    ),
    "docs/prompts.md": Setting(material=False, swaps=_MODEL, before=_FEW_QUESTIONS),
    "docs/robustness.md": Setting(swaps=_MODEL),
    "docs/scale-out.md": Setting(
        material=False,
        swaps=_MODEL | _SLURM | _ONE_MACHINE | {r"/shared/": ""} | _LITELLM,
        before=_FEW_QUESTIONS,
    ),
    "docs/studies.md": Setting(
        files={"guideline.md": "# Guideline\n\nJudge what is written.\n"},
        swaps={r"--training 5 --controls 10": "--training 2 --controls 3"},
        before="clinicnum study close first",
    ),
    "docs/tables.md": Setting(swaps={r"\bg\.jsonl": "generations.jsonl"}),
}
