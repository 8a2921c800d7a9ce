"""Measures the hand-off alone, with steps that are ready."""
