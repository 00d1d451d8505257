"""The compaction panel's parts: the list, the meter, and what gave way beside what stands for it."""
