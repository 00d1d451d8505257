"""Files by which a folder is an agent's, whatever its system. AGENTS.md and CLAUDE.md are not: code is full of them."""

from __future__ import annotations

MARKS = frozenset(("identity.md", "soul.md", "user.md", "memory.md"))
