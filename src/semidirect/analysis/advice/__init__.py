"""Which method suits a system, by what is proved of it and what methods do in short runs."""

from semidirect.analysis.advice.candidate import Candidate, Drift
from semidirect.analysis.advice.constants import Constants, constants_of
from semidirect.analysis.advice.ranking import recommend
from semidirect.analysis.advice.rates import Rates
from semidirect.analysis.advice.recommendation import Recommendation

__all__ = ["Candidate", "Constants", "Drift", "Rates", "Recommendation", "constants_of", "recommend"]
