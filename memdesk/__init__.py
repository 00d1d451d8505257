"""MemDesk: see, judge and correct what AI agents remember."""

import sys

__version__ = "0.2.0"
# httpx would import the program it brings, with rich and pygments: a sixth of what a window's start imports.
sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]
