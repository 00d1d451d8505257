"""Work that runs beside the verbs, by the clock or by hand: one run is one undo, and no run passes the floor."""
