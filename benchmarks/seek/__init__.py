"""From a state to its batch."""
