"""Verbs that change memory. Each reads, decides and writes through the one write door."""
