"""How long to wait before a request is retried."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from tenacity.wait import wait_base, wait_exception, wait_random_exponential

LONGEST_BACKOFF_S = 60.0
LONGEST_RETRY_AFTER_S = 600.0


class AttemptFailed(Exception):
    """A failed attempt to get an answer from a server; it may be retried."""

    def __init__(self, kind: str, line: str, retry_after_s: float = 0.0) -> None:
        """`line` says in one line what failed.

        `kind` is how it is counted: `timeout`, `connection`, `garbled`, `too_long`, `http_503`, ...
        `retry_after_s` is the wait in seconds that the server asks for, 0 if it asks for none.
        """
        super().__init__(line)
        self.kind, self.line, self.retry_after_s = kind, line, retry_after_s


def wait_between(base_s: float) -> wait_base:
    """The wait after a failed attempt: exponential from `base_s`, with full jitter.

    A wait that the server asks for is kept, and the jitter is added to it, so that clients that were told
    the same time do not return together.
    """
    wish = wait_exception(lambda error: error.retry_after_s if isinstance(error, AttemptFailed) else 0.0)
    return wish + wait_random_exponential(multiplier=base_s, max=LONGEST_BACKOFF_S)


def parse_retry_after(value: str | None, *, now: datetime) -> float:
    """Seconds that a `Retry-After` header asks for: a number or an HTTP date; 0 if it says neither.

    Never negative, and never above ten minutes.
    """
    if value is None:
        return 0.0
    try:
        seconds = float(value)
    except ValueError:
        try:
            until = parsedate_to_datetime(value)
        except (ValueError, OverflowError):  # a year or a day of thousands of digits
            return 0.0
        seconds = ((until if until.tzinfo else until.replace(tzinfo=UTC)) - now).total_seconds()
    if seconds != seconds:  # "nan" is a float to Python
        return 0.0
    return min(max(seconds, 0.0), LONGEST_RETRY_AFTER_S)
