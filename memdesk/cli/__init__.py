"""The command line: one file a resource. It writes data to stdout and everything else to stderr."""
