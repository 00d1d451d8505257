"""Several desks: which were opened, how another is opened in a window of its own, and the one window of each."""
