"""Initial states, configurations, restarts."""
