"""What several jobs share: times, visibility, masked models, work items."""
