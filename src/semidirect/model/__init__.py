"""The derived program with numerical parameters: vector fields, moving frame, linearisation."""
