"""The service: HTTP, settings and wiring around the engines. It knows nothing about how to play."""
