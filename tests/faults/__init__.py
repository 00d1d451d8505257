"""Faults: what MemDesk does when the disk, the machine or a client fails it."""
