"""Work that runs beside the verbs: consolidation, embedding, imports."""
