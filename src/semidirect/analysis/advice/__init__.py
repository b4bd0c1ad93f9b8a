"""Which method suits a system, by what is proved of it and what methods do in short runs."""

from semidirect.analysis.advice.candidate import Candidate, Drift
from semidirect.analysis.advice.ranking import recommend
from semidirect.analysis.advice.rates import Rates
from semidirect.analysis.advice.recommendation import Recommendation
from semidirect.invariants import Constants, constants_of

__all__ = ["Candidate", "Constants", "Drift", "Rates", "Recommendation", "constants_of", "recommend"]
