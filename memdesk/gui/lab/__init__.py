"""Recall lab: ask as an agent would, see why each memory was recalled or not, and adjust the weights."""
