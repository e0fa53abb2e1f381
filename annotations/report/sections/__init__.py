"""The sections of a report: one file each, and one line in the table of
`clinicnum.annotations.report.build`."""
