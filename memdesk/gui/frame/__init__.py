"""The frame around the panels: top bar, rail, status line, search, notices and keys."""
