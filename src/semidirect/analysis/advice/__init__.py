"""The methods that suit a system, by its proved conservation laws and by short runs."""
