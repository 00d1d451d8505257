"""The Model Context Protocol over standard input and output, for runtimes that start their servers themselves."""
