"""The value network of `td`, and how it learns from its own games."""
