"""Help inside the window: a page for each panel, an explanation of every figure, and the tour of the window."""
