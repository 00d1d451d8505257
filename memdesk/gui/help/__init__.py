"""Help inside the window: a page for each panel, what every figure means, and the tour of the sample desk."""
