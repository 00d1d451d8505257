"""Memory in files: the layouts of workspaces, reading and saving their files, and their day files."""
