"""Folders of agents on this desk: how each was recognised, and the state of its files."""
