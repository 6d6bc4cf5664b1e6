"""From a question to its answer: the one way that every route and `quadriga move` take."""
