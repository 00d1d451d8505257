"""The conversations panel's parts: the list, the turns, and what stands beside them."""
