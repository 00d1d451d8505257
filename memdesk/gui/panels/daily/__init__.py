"""Parts of the panel “daily”."""
