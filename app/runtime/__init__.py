"""What runs searches in time: loading of the kernels, the pool, deadlines, memory, metrics."""
