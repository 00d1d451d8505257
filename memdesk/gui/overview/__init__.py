"""Parts of the overview: the six memory layers, and the column next to them."""
