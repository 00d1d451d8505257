"""The parts of the facts panel: its columns, its filters, what is chosen, and the preview of an act on many."""
