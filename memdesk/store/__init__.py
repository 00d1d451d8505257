"""Memory on disk: the only package that uses SQL. One writer, one database file, many readers."""
