"""Parts of the panel “audit”."""
