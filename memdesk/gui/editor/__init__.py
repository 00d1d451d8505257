"""Editor for an agent's files: source with line authors, live preview, versions and their differences."""
