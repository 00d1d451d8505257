"""Memory on disk: the only room that speaks SQL. One write door, one file, many readers."""
