"""This process's rank in a distributed run, from the environment set by torchrun, accelerate or SLURM."""

import os
from dataclasses import dataclass

from clinicnum.errors import InputError
from clinicnum.inference.shards import Part


@dataclass(frozen=True)
class Process:
    """This process within the processes of the run."""

    part: Part | None
    """The process's share of the instances; None if it is the only process."""
    local_rank: int = 0
    """The rank of this process on this machine, from 0."""
    local_world: int = 1
    """Number of processes on this machine."""

    @property
    def said(self) -> str:
        """Prefix of this process's terminal lines."""
        return "" if self.part is None else f"{self.part}: "

    @property
    def sole_machine(self) -> bool:
        """Whether all processes of the run are on this machine."""
        return self.part is None or self.part.world == self.local_world


def this_process() -> Process:
    """Read RANK, WORLD_SIZE, LOCAL_RANK and LOCAL_WORLD_SIZE, otherwise what SLURM sets for the tasks of
    `srun` and of a job array. Raises InputError if they contradict each other.
    """
    world = _number("WORLD_SIZE", 1)
    if world <= 1:
        return _slurm_process()
    rank = _number("RANK", -1)
    if not 0 <= rank < world:
        raise InputError(
            f"WORLD_SIZE is {world} and RANK is {os.environ.get('RANK', 'not set')}; expected a rank from 0 "
            f"to {world - 1}: start the command with torchrun or accelerate launch, or unset WORLD_SIZE"
        )
    return Process(Part(rank, world), _number("LOCAL_RANK", rank), _number("LOCAL_WORLD_SIZE", world))


def _slurm_process() -> Process:
    """The process's rank among the tasks of a SLURM step and the elements of a job array.

    A batch script that calls the command without `srun` runs it once, whatever the number of its tasks.
    """
    tasks, task = 1, 0
    if os.environ.get("SLURM_STEP_ID", "").strip():
        tasks, task = _number("SLURM_STEP_NUM_TASKS", 1), _number("SLURM_PROCID", 0)
    elements, element = _array_element()
    if tasks * elements <= 1:
        return Process(None)
    if not 0 <= task < tasks:
        raise InputError(f"SLURM_PROCID is {task}; expected 0 to {tasks - 1}, as SLURM_STEP_NUM_TASKS says")
    here = tasks if elements == 1 and _number("SLURM_STEP_NUM_NODES", 1) == 1 else 1
    return Process(Part(element * tasks + task, elements * tasks), _number("SLURM_LOCALID", 0), here)


def _array_element() -> tuple[int, int]:
    """The number of elements of the job's array, and which one this is, from 0; (1, 0) outside an array."""
    count = _number("SLURM_ARRAY_TASK_COUNT", 1)
    if count <= 1:
        return 1, 0
    first, step = _number("SLURM_ARRAY_TASK_MIN", 0), max(1, _number("SLURM_ARRAY_TASK_STEP", 1))
    element, rest = divmod(_number("SLURM_ARRAY_TASK_ID", -1) - first, step)
    if rest or not 0 <= element < count:
        raise InputError(
            f"SLURM_ARRAY_TASK_ID is {os.environ.get('SLURM_ARRAY_TASK_ID', 'not set')}, which is not one of "
            f"{count} elements from {first} in steps of {step}; use an array such as --array=0-7"
        )
    return count, element


def share_threads(process: Process, threads: int | None) -> int | None:
    """Set the number of CPU threads of this process and return it; None leaves the choice to torch.

    Call before torch is imported. torchrun and accelerate set OMP_NUM_THREADS to 1 if it is unset, which
    would leave most cores idle; any other value was chosen by the user and is kept.
    """
    said = os.environ.get("OMP_NUM_THREADS")
    if threads is None and _launched(process) and said in (None, "1"):
        threads = max(1, len(os.sched_getaffinity(0)) // process.local_world)
    if threads is not None:
        os.environ["OMP_NUM_THREADS"] = str(threads)
        return threads
    return int(said) if said is not None and said.isdigit() else None


def claim_gpus(process: Process, count: int | None) -> None:
    """Restrict CUDA_VISIBLE_DEVICES to `count` of the visible GPUs, successive ones per local rank; None:
    all.

    Call before torch looks for them. Ranks share GPUs if there are too few; a rank that the scheduler limits
    to its own GPUs keeps them. Raises InputError if fewer than `count` are visible.
    """
    if count is None:
        return
    named = os.environ.get("CUDA_VISIBLE_DEVICES")
    if named is None:
        import torch

        named = ",".join(map(str, range(torch.cuda.device_count())))
    shown = [one.strip() for one in named.split(",") if one.strip()]
    groups = len(shown) // count
    if not groups:
        raise InputError(
            f"--gpus-per-rank {count}: this process is shown {len(shown)} GPUs "
            f"({', '.join(shown) or 'none'}); ask for fewer, or correct CUDA_VISIBLE_DEVICES"
        )
    first = process.local_rank % groups * count
    os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(shown[first : first + count])


def _launched(process: Process) -> bool:
    """Whether torchrun or accelerate started this process. On CPU accelerate starts a single process,
    whatever was requested, and sets no rank.
    """
    return process.part is not None or "ACCELERATE_MIXED_PRECISION" in os.environ


def _number(name: str, default: int) -> int:
    text = os.environ.get(name, "").strip()
    if not text:
        return default
    try:
        return int(text)
    except ValueError as error:
        raise InputError(
            f"{name} is {text!r} in the environment; expected a whole number: unset it or correct it"
        ) from error
