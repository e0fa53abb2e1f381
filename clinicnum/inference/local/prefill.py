"""Read prompts into the cache: a prefix shared by a group is computed once and copied, the rest is computed
in right-padded batches. Right padding keeps a row's tokens contiguous, and no token attends to the padding
after it.
"""

from collections.abc import Sequence
from typing import Any

from clinicnum.inference.local.batch_planning import Group, Row
from clinicnum.inference.local.forward_pass import Stepper
from clinicnum.inference.local.kv_cache import Segment


def prefill(stepper: Stepper, rows: Sequence[Row]) -> tuple[list[Segment], Any]:
    """Read the rows' tokens into a cache; return each row's segment of it, and float32 logits [rows,
    vocabulary] after its last token.

    A group keeps its computed prefix until its last member has left it (`Engine`).
    """
    wanted: dict[int, Group] = {}
    for row in rows:
        if row.group.prefix and row.group.segment is None and row.group.waiting > 1:
            wanted[id(row.group)] = row.group
    groups = list(wanted.values())
    if groups:
        empty: list[Segment | None] = [None] * len(groups)
        segments, _ = _extend(stepper, empty, [list(group.prefix) for group in groups], logits=False)
        for group, segment in zip(groups, segments, strict=True):
            group.segment = segment
    parents = [row.group.segment for row in rows]
    rest = [row.tokens[parent.length if parent else 0 :] for row, parent in zip(rows, parents, strict=True)]
    return _extend(stepper, parents, rest, logits=True)


def _extend(
    stepper: Stepper, parents: Sequence[Segment | None], tokens: Sequence[list[int]], *, logits: bool
) -> tuple[list[Segment], Any]:
    """Extend each parent segment (None: empty) by its tokens.

    Returns the new segments, and the logits after each row's last token (None unless `logits`).
    """
    lengths = [parent.length if parent else 0 for parent in parents]
    edge = max(lengths)
    cache = stepper.cache(len(parents), edge + max(map(len, tokens)), edge=edge)
    for slot, parent in enumerate(parents):
        if parent:
            cache.put(slot, parent)
    starts = [edge - length for length in lengths]
    cache.low = min(starts)
    out = stepper.read(cache, tokens, starts, logits=logits)
    ends = [edge + len(each) for each in tokens]
    return [Segment(cache, i, starts[i], ends[i]) for i in range(len(parents))], out
