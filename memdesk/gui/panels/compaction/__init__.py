"""Parts of the panel “compaction”."""
