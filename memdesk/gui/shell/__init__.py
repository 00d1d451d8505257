"""Window frame around the panels: rail, bars, stage, navigation."""
