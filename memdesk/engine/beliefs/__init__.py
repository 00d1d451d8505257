"""Beliefs: claims read into subject, slot and value, and compared with others of the same subject and slot."""
