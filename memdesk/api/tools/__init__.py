"""Tool sets that agents know from other systems, each declared once: HTTP, MCP and the command line serve
them."""
