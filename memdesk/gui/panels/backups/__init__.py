"""Panel “backups” and its parts."""
