"""A step traced once becomes a compiled loop over lanes."""
