"""Panel “profile” and its parts."""
