"""What this folder offers, each name from its module: read by type checkers, and when a name is first used."""

from .affine import affine_entries as affine_entries
from .blocks import block_diagonal as block_diagonal
from .functions import REACH as REACH
from .functions import cayley_transform as cayley_transform
from .functions import pattern_product as pattern_product
from .functions import taylor_exponential as taylor_exponential
from .structure import FREE as FREE
from .structure import ONE as ONE
from .structure import ZERO as ZERO
from .structure import analyse as analyse
from .structure import odd_powers_close as odd_powers_close
