"""The referee: agents against each other, honestly measured, on one core or many machines."""
