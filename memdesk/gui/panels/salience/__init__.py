"""Parts of the panel “salience”."""
