"""The four games: rules, agents and what they share. Pure: no HTTP, no settings, no clock of their own."""
