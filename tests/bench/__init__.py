"""Benchmarks of recall. Their data is not part of MemDesk: every script asks for it by path."""
