"""Parts of the panel “goals”."""
