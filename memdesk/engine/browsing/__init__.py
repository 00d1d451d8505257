"""Views of memory for a person: lists, details of one memory, the graph, time. Browsing never counts as recalling."""
