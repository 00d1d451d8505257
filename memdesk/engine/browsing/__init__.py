"""Memory as a person looks at it: lists, one memory whole, the graph, time. Browsing never counts as recalling."""
