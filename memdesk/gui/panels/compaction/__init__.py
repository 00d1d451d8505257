"""Panel “compaction” and its parts."""
