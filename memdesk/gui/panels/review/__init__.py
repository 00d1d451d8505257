"""Parts of the panel “review”."""
