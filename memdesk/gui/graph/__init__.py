"""Drawing of the fact graph: its layout, its painting, and the controls around it."""
