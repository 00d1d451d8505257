"""Panel “Who is my agent”."""
