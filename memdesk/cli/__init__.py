"""Command line of MemDesk, one file per resource. Data goes to stdout, all other output to stderr."""
