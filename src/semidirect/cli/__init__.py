"""The command line, one module per command; nothing heavy is imported until a command runs."""
