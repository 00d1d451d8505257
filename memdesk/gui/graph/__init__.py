"""The fact graph as it is drawn: where everything goes, how it is painted, and what surrounds the drawing."""
