"""What digests and commits cost."""
