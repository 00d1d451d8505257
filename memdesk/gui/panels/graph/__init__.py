"""Parts of the panel “graph”."""
