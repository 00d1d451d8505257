"""What the inspector shows: one memory whole, or one change whole."""
