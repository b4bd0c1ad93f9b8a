"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

"""For other packages."""

from .array_printer import ArrayText as ArrayText
from .array_printer import array_text as array_text
from .instruction import LEAVES as LEAVES
from .instruction import Instruction as Instruction
from .instruction_list import InstructionList as InstructionList
from .instruction_list import Iteration as Iteration
from .instruction_list import Phase as Phase
from .printer import Form as Form
from .printer import Printer as Printer
from .pruning import needed as needed
from .text_printer import TextPrinter as TextPrinter
