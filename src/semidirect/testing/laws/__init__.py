"""Laws of groups, constraints, systems and methods, checked at exact points."""
