"""Beliefs: claims read into subject, slot and value, and compared with what is believed of the same subject and slot."""
