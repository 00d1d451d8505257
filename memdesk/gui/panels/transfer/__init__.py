"""Parts of the panel “transfer”."""
