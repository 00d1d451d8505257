"""Parts of the panel “facts”."""
