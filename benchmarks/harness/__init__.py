"""What the parts of the benchmark share."""
