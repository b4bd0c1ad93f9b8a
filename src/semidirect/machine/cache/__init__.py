"""Files of derived equations and of machine code, which later processes use again."""
