"""The tools and strategies panel's parts: how each did, one of them whole, its calls, and its days."""
