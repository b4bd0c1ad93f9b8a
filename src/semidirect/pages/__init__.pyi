"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

"""For other packages."""

from .balance_rows import without_transport as without_transport
from .derivation import Derivation as Derivation
from .described import checked_form as checked_form
from .described import described_evolution as described_evolution
from .line_breaks import aligned as aligned
from .notation import unicode_name as unicode_name
from .page import Page as Page
from .printing import Equations as Equations
from .printing import evolution_text as evolution_text
