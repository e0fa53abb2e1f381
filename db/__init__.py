"""The database: tables, engine, sessions and migrations, and one function per transaction in
`clinicnum.db.work`.
"""
