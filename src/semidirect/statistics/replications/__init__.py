"""Statistics of runs in replications, which are not among those that users name."""
