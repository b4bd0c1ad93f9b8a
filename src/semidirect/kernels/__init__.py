"""The numerical life of derived equations."""
