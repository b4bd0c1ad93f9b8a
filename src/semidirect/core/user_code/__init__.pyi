"""What this folder offers, each name from its module: read by type checkers, and when a name is first used."""

from .hooks import Hooked as Hooked
from .hooks import refuse_misspelled as refuse_misspelled
from .signatures import apply as apply
from .signatures import call as call
from .signatures import listed as listed
from .signatures import require_state_signature as require_state_signature
from .tracing import tracing as tracing
