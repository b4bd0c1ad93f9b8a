"""The public names, each from its place: read by type checkers, and by the package when a name is first used."""

from semidirect.inference.ensemble_kalman import EnsembleKalmanUpdate as EnsembleKalmanUpdate
from semidirect.inference.extended_kalman import ExtendedKalman as ExtendedKalman
from semidirect.inference.filter import filter as filter
from semidirect.inference.filtered import Filtered as Filtered
from semidirect.inference.fit import fit as fit
from semidirect.inference.fitted import Fitted as Fitted
from semidirect.inference.instruments import camera as camera
from semidirect.inference.instruments import gyroscope as gyroscope
from semidirect.inference.instruments import position as position
from semidirect.inference.invariance import Invariance as Invariance
from semidirect.inference.noise import GaussianNoise as GaussianNoise
from semidirect.inference.noise import GivenDensity as GivenDensity
from semidirect.inference.noise import ObservationNoise as ObservationNoise
from semidirect.inference.noise import StudentNoise as StudentNoise
from semidirect.inference.observation import Observation as Observation
from semidirect.inference.particle_update import ParticleUpdate as ParticleUpdate
from semidirect.inference.quadratic_variation import QuadraticVariation as QuadraticVariation
from semidirect.inference.quadratic_variation import quadratic_variation as quadratic_variation
from semidirect.inference.state_space import state_space_model as state_space_model
