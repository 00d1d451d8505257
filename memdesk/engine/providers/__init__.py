"""Embedders: what turns text into vectors. Offline first."""
