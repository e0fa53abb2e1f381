"""What several jobs share: times, who may see what, masked models, work items."""
