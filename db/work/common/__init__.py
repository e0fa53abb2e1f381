"""What several folders of `work` share: timestamps, barred studies, masked models, work items."""
