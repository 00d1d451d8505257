"""What the tools that agents know do on this desk, one file a set, answering in the words their systems use."""
