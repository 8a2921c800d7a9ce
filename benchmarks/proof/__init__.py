"""The cost of digests and commits."""
