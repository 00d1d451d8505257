"""Daily logs: days as a strip of heat, a day's lines, and making a fact of one."""
