"""Output of commands: JSON that every parser accepts, text that fits the terminal, files in folders that were checked before."""

from semidirect.text.printing.figures import components, figures, plain, span, standard_error, with_error
from semidirect.text.printing.streams import new_folder, print_json, print_text

__all__ = [
    "components",
    "figures",
    "new_folder",
    "plain",
    "print_json",
    "print_text",
    "span",
    "standard_error",
    "with_error",
]
