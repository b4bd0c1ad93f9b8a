"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

from .choices import ADVECTED as ADVECTED
from .choices import CONSTRAINTS as CONSTRAINTS
from .choices import GROUPS as GROUPS
from .choices import NOISES as NOISES
from .choices import Choices as Choices
from .package import package as package
from .package import write as write

"""For other packages."""

from . import choices as choices
