"""Code shared by the parts of the benchmark."""
