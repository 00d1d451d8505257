"""Verbs that read memory: search by words and meaning, and the pure ranking they use."""
