"""Panel “transfer” and its parts."""
