"""Panel “overview” and its parts."""
