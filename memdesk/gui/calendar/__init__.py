"""Daily logs: days as a heat strip, a day's lines, and the making of facts from lines."""
