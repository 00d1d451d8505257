"""Panel “connections” and its parts."""
