"""Parts of the panel “procedures”."""
