"""The database: rows, one engine function, migrations, and one function per transaction in
`clinicnum.db.work`.
"""
