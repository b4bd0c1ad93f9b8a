"""The public names, each from its place: read by type checkers, and by the package when a name is first used."""

from semidirect.testing import LAWS as LAWS
from semidirect.testing import Finding as Finding
from semidirect.testing import Law as Law
from semidirect.testing import Outcome as Outcome
from semidirect.testing import Report as Report
from semidirect.testing import check as check
