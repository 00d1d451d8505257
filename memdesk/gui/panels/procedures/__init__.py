"""Panel “procedures” and its parts."""
