"""Panel “conversations” and its parts."""
