"""Panel “scratchpad” and its parts."""
