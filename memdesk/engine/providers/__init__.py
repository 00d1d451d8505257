"""Models: embedders, language models and rerankers, and their token costs. Offline first."""
