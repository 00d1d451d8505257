"""The recall lab: ask as an agent would, see why each memory came or did not, and turn the weights."""
