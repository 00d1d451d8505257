"""The rules of memory: verbs that change it, verbs that read it, and the jobs that keep it."""
