"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

"""For other packages."""

from . import reached_code as reached_code
from .addresses import address_of as address_of
from .assembler import NotCompiledError as NotCompiledError
from .blas_threads import one_blas_thread as one_blas_thread
from .cache import files as files
from .cache.compiled_function import CompiledFunction as CompiledFunction
from .cache.machine_function import machine_function as machine_function
from .collector import paused_collector as paused_collector
from .llvm_functions import Reader as Reader
from .llvm_functions import WrittenInPlace as WrittenInPlace
from .llvm_functions import fma as fma
