"""State of the desk itself: status, verification, backups, repair, settings."""
