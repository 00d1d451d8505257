"""The folders of agents on this desk: how each was recognised, and how its files stand."""
