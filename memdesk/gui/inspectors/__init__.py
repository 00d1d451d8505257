"""Views of the inspector: one memory or one change in full."""
