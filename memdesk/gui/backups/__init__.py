"""Backups of the desk in words and columns, and the page that stands where a desk cannot be served."""
