"""Panel “daily” and its parts."""
