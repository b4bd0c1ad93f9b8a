"""The public names, each from its place: read by type checkers, and by the package when a name is first used."""

from semidirect.definition import CombinedNoise as CombinedNoise
from semidirect.definition import ConstantNoise as ConstantNoise
from semidirect.definition import DoubleBracket as DoubleBracket
from semidirect.definition import EnergyPreservingNoise as EnergyPreservingNoise
from semidirect.definition import FormalNoise as FormalNoise
from semidirect.definition import PrescribedNoise as PrescribedNoise
from semidirect.definition import StateNoise as StateNoise
from semidirect.definition import TransportNoise as TransportNoise
from semidirect.definition import VolatilityNoise as VolatilityNoise
from semidirect.model import NoiseClass as NoiseClass
from semidirect.model import noise_class as noise_class
from semidirect.random import Driver as Driver
from semidirect.random import DrivingPath as DrivingPath
from semidirect.random import DrivingProcess as DrivingProcess
from semidirect.random import Sobol as Sobol
from semidirect.random import Wiener as Wiener
from semidirect.random import WienerNoise as WienerNoise
