"""Panel “review” and its parts."""
