"""Pure: taxonomy, rights, assignment, agreement, consensus, adjudication, reports."""
