"""Panel “learnings” and its parts."""
