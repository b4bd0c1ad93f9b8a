"""Text that fits its reader's width: lines broken where sense allows it, aligned tables whose columns share what there is."""

from semidirect.text.text_layout.lines import (
    CONTINUED,
    GAP,
    NARROWEST,
    PIPE,
    WHOLE,
    filled,
    text_size,
    text_width,
    wrapped,
)
from semidirect.text.text_layout.table import table

__all__ = ["CONTINUED", "GAP", "NARROWEST", "PIPE", "WHOLE", "filled", "table", "text_size", "text_width", "wrapped"]
