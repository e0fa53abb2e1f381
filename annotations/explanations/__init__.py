"""What each figure of pages and reports says, in plain words; pages, reports and docs share it."""
