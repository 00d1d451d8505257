"""Desktop window: a client of the service like any other, and the only package that uses Qt."""
