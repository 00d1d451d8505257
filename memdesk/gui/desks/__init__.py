"""Several desks: the list of opened desks, opening another one in its own window, and the one-window limit
per desk."""
