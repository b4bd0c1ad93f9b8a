"""The public names, each from its place: read by type checkers, and by the package when a name is first used."""

from semidirect.definition.double_bracket import DoubleBracket as DoubleBracket
from semidirect.definition.energy_preserving_noise import EnergyPreservingNoise as EnergyPreservingNoise
from semidirect.definition.transport_noise import CombinedNoise as CombinedNoise
from semidirect.definition.transport_noise import ConstantNoise as ConstantNoise
from semidirect.definition.transport_noise import FormalNoise as FormalNoise
from semidirect.definition.transport_noise import PrescribedNoise as PrescribedNoise
from semidirect.definition.transport_noise import StateNoise as StateNoise
from semidirect.definition.transport_noise import TransportNoise as TransportNoise
from semidirect.definition.transport_noise import VolatilityNoise as VolatilityNoise
from semidirect.model.noise_class import NoiseClass as NoiseClass
from semidirect.model.noise_class import noise_class as noise_class
from semidirect.random.driver import Driver as Driver
from semidirect.random.drivers.wiener import Wiener as Wiener
from semidirect.random.driving_path import DrivingPath as DrivingPath
from semidirect.random.driving_process import DrivingProcess as DrivingProcess
from semidirect.random.wiener import WienerNoise as WienerNoise
