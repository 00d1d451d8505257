"""Text that steers an agent: its disguises, and the rules that read who is commanded, what changes, what is hidden."""
