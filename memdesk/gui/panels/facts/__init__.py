"""Panel “facts” and its parts."""
