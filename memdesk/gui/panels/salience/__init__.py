"""Panel “salience” and its parts."""
