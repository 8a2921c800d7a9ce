"""Verbs that need no cluster."""
