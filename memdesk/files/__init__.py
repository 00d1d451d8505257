"""File system access: the places of a desk's files, and reading and writing files without loss."""
