"""The drivers of semidirect, one per file; each final class here is found by its name."""
