"""Memory in files: what a folder's files are for, reading and saving them, and the days they tell of."""
