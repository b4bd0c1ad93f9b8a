"""The drivers of semidirect, one a file: each final class here is found by its name."""
