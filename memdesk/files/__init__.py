"""The file system's manners: where a desk's things lie, and how a file is written without losing one."""
