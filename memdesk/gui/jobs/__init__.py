"""Parts of the jobs panel: the table of jobs, their runs, and the changes that one run made or would make."""
