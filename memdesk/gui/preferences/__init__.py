"""Parts of the settings panel: groups and names of settings, and one setting with a control for its type."""
