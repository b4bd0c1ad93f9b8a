"""The languages that systems are exported to, one per file; each final class here is found by its name."""
