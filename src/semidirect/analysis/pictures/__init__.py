"""Pictures of runs and of studies: every function takes ``ax=``, Matplotlib's axes, and returns axes."""

from semidirect.core import open_door

open_door(__name__)
