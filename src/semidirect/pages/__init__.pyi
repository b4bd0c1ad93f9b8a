"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

"""For other packages."""

from .derivation import Derivation as Derivation
from .described import described_evolution as described_evolution
from .notation import unicode_name as unicode_name
from .page import Page as Page
from .printing import Equations as Equations
from .printing import evolution_text as evolution_text
