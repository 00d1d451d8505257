"""Columns and sentences about backups, and the page shown for a desk that cannot be served."""
