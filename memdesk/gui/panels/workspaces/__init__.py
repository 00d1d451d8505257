"""Panel “workspaces” and its parts."""
