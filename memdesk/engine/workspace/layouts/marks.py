"""Files that mark a folder as an agent's, in any system. AGENTS.md and CLAUDE.md do not: code folders often
have them."""

from __future__ import annotations

MARKS = frozenset(("identity.md", "soul.md", "user.md", "memory.md"))
