"""Panel “jobs” and its parts."""
