"""The parts of the jobs panel: the table of jobs, their runs, and what one run did or would do."""
