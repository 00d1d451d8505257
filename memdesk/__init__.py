"""MemDesk: see, judge and correct what AI agents remember."""

__version__ = "0.2.0"
