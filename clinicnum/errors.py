"""The errors that outside input can cause.

    ClinicnumError
    ├── InputError       a file, flag or table is not what it should be: exit code 2, one line
    ├── NotAllowed       the user may not do this
    └── Conflict         the state moved on since the caller looked (stale revision, claimed elsewhere)

A message says what was wrong, what was got, what was expected and what to do next, on one line.
"""


class ClinicnumError(Exception):
    """Base of every error that is shown to a user as its message, without a traceback."""


class InputError(ClinicnumError):
    """Bad input: a file, flag, column or value that is not what it should be."""


class NotAllowed(ClinicnumError):
    """The user has no right to do this."""


class Conflict(ClinicnumError):
    """The state moved on since the caller looked at it; reload and look again."""
