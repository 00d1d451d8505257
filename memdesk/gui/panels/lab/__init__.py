"""Panel “lab” and its parts."""
