"""Panel “goals” and its parts."""
