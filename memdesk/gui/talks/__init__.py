"""Parts of the conversations panel: the list, the turns, and the details next to them."""
