"""The desk's own state."""
