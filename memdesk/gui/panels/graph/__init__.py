"""Panel “graph” and its parts."""
