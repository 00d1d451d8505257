"""Parts of the panel “scratchpad”."""
