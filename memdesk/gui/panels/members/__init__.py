"""Panel “members” and its parts."""
