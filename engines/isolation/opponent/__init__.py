"""The opponent model: what the study's searchers would answer."""
