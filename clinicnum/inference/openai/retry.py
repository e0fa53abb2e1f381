"""How long to wait before a request is sent again."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from random import Random

LONGEST_BACKOFF_S = 60.0
LONGEST_RETRY_AFTER_S = 600.0


def delay_s(attempt: int, *, base_s: float, retry_after_s: float | None, rng: Random) -> float:
    """Seconds before the attempt after `attempt` (0 is the first): exponential, with full jitter.

    A server's own wish is kept to, and the jitter comes on top, so that those who were told the same time do
    not come back together.
    """
    jitter = rng.uniform(0, min(LONGEST_BACKOFF_S, base_s * 2.0**attempt))
    return jitter if retry_after_s is None else retry_after_s + jitter


def parse_retry_after(value: str | None, *, now: datetime) -> float | None:
    """Seconds that a `Retry-After` header asks for: a number or an HTTP date; None if it says neither.

    Never negative, and never above ten minutes.
    """
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            until = parsedate_to_datetime(value)
        except (ValueError, OverflowError):  # a year or a day of thousands of digits
            return None
        seconds = ((until if until.tzinfo else until.replace(tzinfo=UTC)) - now).total_seconds()
    if seconds != seconds:  # "nan" is a float to Python
        return None
    return min(max(seconds, 0.0), LONGEST_RETRY_AFTER_S)
