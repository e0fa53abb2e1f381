"""Back up a database into one file while it is in use, and restore it from such a file.

SQLite is copied with its own online backup, PostgreSQL with `pg_dump`; either gives one consistent state.
`back_up` reads every row of the copy before the file gets its final name.
"""

from clinicnum.db.backup.database_check import DatabaseCheck
from clinicnum.db.backup.make import back_up
from clinicnum.db.backup.restore import restore

__all__ = ["DatabaseCheck", "back_up", "restore"]
