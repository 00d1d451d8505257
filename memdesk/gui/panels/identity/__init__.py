"""Panel “identity” and its parts."""
