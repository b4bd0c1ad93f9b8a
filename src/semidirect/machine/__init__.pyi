"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

"""For other packages."""

from . import reached_code as reached_code
from .addresses import address_of as address_of
from .assembler import Assembler as Assembler
from .assembler import Assembly as Assembly
from .assembler import NotCompiledError as NotCompiledError
from .blas_threads import one_blas_thread as one_blas_thread
from .cache import files as files
from .cache.compiled_function import CompiledFunction as CompiledFunction
from .cache.machine_function import machine_function as machine_function
from .collector import paused_collector as paused_collector
from .llvm_functions import WrittenInPlace as WrittenInPlace
from .llvm_functions import bits_to_float as bits_to_float
from .llvm_functions import float_to_bits as float_to_bits
from .llvm_functions import fma as fma
from .llvm_functions import functions_of as functions_of
from .llvm_functions import inlined as inlined
from .llvm_functions import llvm_text as llvm_text
from .llvm_functions import select as select
from .memory import keep_memory as keep_memory
