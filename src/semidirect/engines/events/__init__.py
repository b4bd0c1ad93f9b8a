"""Events: where within a step a path meets a condition, and derivatives there."""
