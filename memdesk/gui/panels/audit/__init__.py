"""Panel “audit” and its parts."""
