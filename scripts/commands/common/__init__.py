"""What several commands share: database, input files, warnings, audit anchors, the web application."""
