"""What commit c133b38 answered: questions, whole games and the names that have changed since (README.md)."""
