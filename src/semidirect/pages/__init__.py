"""What people read: equations, derivations and evolutions as text, LaTeX and JSON."""
