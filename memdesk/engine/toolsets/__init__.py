"""Implementations of the agents' tool sets on this desk, one file per set, with answers in the wording of
their systems."""
