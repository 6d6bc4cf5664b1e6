"""Training of what the engines ship: tables, networks. Reads engines; files and progress are its own."""
