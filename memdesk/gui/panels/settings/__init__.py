"""Panel “settings” and its parts."""
