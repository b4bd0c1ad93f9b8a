"""What one process leaves for the next: files of derived equations and of machine code."""
