"""The abstractions, tables and learning of `q_learning`."""
