"""The command line, a module for each command; nothing heavy is imported until a command runs."""
