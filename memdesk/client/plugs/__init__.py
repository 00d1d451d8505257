"""Plugs: what connects the desk to a runtime on this machine, and how it is put in and taken out."""
