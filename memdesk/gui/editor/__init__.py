"""Reading and writing an agent's files: source with its authors, live preview, versions and their differences."""
