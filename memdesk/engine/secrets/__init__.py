"""Secrets: found before they are stored, masked in all text of the desk, revealed or erased by a person."""
