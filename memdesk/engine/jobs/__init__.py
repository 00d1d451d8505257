"""Background jobs, run by schedule or by hand: one undo reverts a run, and no run changes protected memory."""
