"""The hand-off alone, of steps that are ready."""
