"""Parts of the panel “lab”."""
