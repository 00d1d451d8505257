"""Import, export and erasure of memory: choosing a source, previewing the result, and following the job."""
