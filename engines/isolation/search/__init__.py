"""Fixed-depth search: the kernel, and the root of a decision."""
