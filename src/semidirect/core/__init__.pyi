"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

from . import ops as ops
from .blocks import Blocks as Blocks
from .errors import SemidirectError as SemidirectError
from .per_path import PerPath as PerPath
from .per_path import by_path as by_path

"""For other packages."""

from . import arguments as arguments
from . import display as display
from . import dual as dual
from . import errors as errors
from . import exact as exact
from . import failure as failure
from . import frozen as frozen
from . import functions as functions
from . import interpolation as interpolation
from . import messages as messages
from . import registry as registry
from . import solvers as solvers
from . import symbols as symbols
from . import user_code as user_code
from .blocks import block as block
from .central_differences import SIXTH_ORDER as SIXTH_ORDER
from .door import module_spec as module_spec
from .door import offers as offers
from .door import open_door as open_door
from .explained_calls import explains_calls as explains_calls
from .explained_calls import says_instead as says_instead
from .flag import Flag as Flag
from .flat_matrices import FlatMatrix as FlatMatrix
from .flat_sites import FlatSites as FlatSites
from .flat_sites import flat_array as flat_array
from .locks import ForkSafeLock as ForkSafeLock
from .locks import ProcessChange as ProcessChange
from .module_finder import find_moved_modules as find_moved_modules
from .moved_names import MOVED as MOVED
from .moved_names import WithMovedNames as WithMovedNames
from .moved_names import moved_attribute as moved_attribute
from .ops import Scalar as Scalar
from .ops import cos as cos
from .ops import cross as cross
from .ops import dot as dot
from .ops import matvec as matvec
from .ops import sin as sin
from .results import Results as Results
from .version import __version__ as __version__
