"""Parts of the compaction panel: the list, the gauge, and the removed turns next to the lines that replace
them."""
