"""Bringing memory in from elsewhere: one file a format, one door for all of them."""
