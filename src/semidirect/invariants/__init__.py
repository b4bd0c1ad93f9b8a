"""Conservation: exact proofs, the search for invariants, and the structure behind them."""

from semidirect.core import open_door

open_door(__name__)
