"""Parts of the panel “conversations”."""
