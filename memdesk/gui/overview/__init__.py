"""The parts of the overview: the six memory layers, and what stands beside them."""
