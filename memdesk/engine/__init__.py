"""Rules of memory: operations that change it, operations that read it, and the jobs that maintain it."""
