"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

from .cloud_update import CloudUpdate as CloudUpdate
from .evidence import Evidence as Evidence
from .evidence import evidence as evidence
from .filter import filter as filter
from .filtered import Filtered as Filtered
from .fit import fit as fit
from .fitted import Fitted as Fitted
from .innovation import Innovations as Innovations
from .instruments import camera as camera
from .instruments import gyroscope as gyroscope
from .instruments import orientation as orientation
from .instruments import position as position
from .invariance import Invariance as Invariance
from .load_result import load_result as load_result
from .noise import GaussianNoise as GaussianNoise
from .noise import GivenDensity as GivenDensity
from .noise import ObservationNoise as ObservationNoise
from .noise import StudentNoise as StudentNoise
from .observation import Observation as Observation
from .online import Online as Online
from .quadratic_variation import QuadraticVariation as QuadraticVariation
from .quadratic_variation import quadratic_variation as quadratic_variation
from .state_space import state_space_model as state_space_model
from .update import Update as Update
from .update_report import UpdateReport as UpdateReport
from .updates.ensemble_kalman import EnsembleKalmanUpdate as EnsembleKalmanUpdate
from .updates.extended_kalman import ExtendedKalman as ExtendedKalman
from .updates.particle_update import ParticleUpdate as ParticleUpdate

"""For other packages."""

from .choose_update import UPDATES as UPDATES
from .tables import read_table as read_table
