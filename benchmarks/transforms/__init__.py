"""The cost of transforms."""
