"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

from .choices import Choices as Choices
from .package import package as package
from .package import write as write

"""For other packages."""
