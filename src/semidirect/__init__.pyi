"""The public names, each from its place: read by type checkers, and by the package when a name is first used."""

from typing import Any, Literal, overload

from semidirect import analysis as analysis
from semidirect import definition as definition
from semidirect import equations as equations
from semidirect import errors as errors
from semidirect import geometry as geometry
from semidirect import groups as groups
from semidirect import inference as inference
from semidirect import integrators as integrators
from semidirect import invariants as invariants
from semidirect import laws as laws
from semidirect import matrices as matrices
from semidirect import noise as noise
from semidirect import representations as representations
from semidirect import runs as runs
from semidirect import shapes as shapes
from semidirect import testing as testing
from semidirect import view as view
from semidirect.analysis import lyapunov as lyapunov
from semidirect.analysis import multilevel as multilevel
from semidirect.core import Blocks as Blocks
from semidirect.core import PerPath as PerPath
from semidirect.core import by_path as by_path
from semidirect.core import ops as ops
from semidirect.core.errors import SemidirectError as SemidirectError
from semidirect.definition import Contact as Contact
from semidirect.definition import CovectorConstraint as CovectorConstraint
from semidirect.definition import Distribution as Distribution
from semidirect.definition import DistributionConstraint as DistributionConstraint
from semidirect.definition import DoubleBracket as DoubleBracket
from semidirect.definition import InternalState as InternalState
from semidirect.definition import Numbers
from semidirect.definition import Option as Option
from semidirect.definition import Parameter as Parameter
from semidirect.definition import PrescribedVelocity as PrescribedVelocity
from semidirect.definition import QuadraticLagrangian as QuadraticLagrangian
from semidirect.definition import ReducedLagrangian as ReducedLagrangian
from semidirect.definition import Rolling as Rolling
from semidirect.definition import StateNoise as StateNoise
from semidirect.definition import StochasticConstraint as StochasticConstraint
from semidirect.definition import Unconstrained as Unconstrained
from semidirect.definition import derived as derived
from semidirect.definition import energy as energy
from semidirect.definition import inertia as inertia
from semidirect.definition import observable as observable
from semidirect.definition import option as option
from semidirect.definition import parameter as parameter
from semidirect.definition import plugins as plugins
from semidirect.definition import table as table
from semidirect.definition import unit_vector as unit_vector
from semidirect.engines import Execution as Execution
from semidirect.groups import SE2 as SE2
from semidirect.groups import SE3 as SE3
from semidirect.groups import SO2 as SO2
from semidirect.groups import SO3 as SO3
from semidirect.groups import Advected as Advected
from semidirect.groups import AdvectedFrame as AdvectedFrame
from semidirect.groups import DirectProduct as DirectProduct
from semidirect.groups import HomogeneousRepresentation as HomogeneousRepresentation
from semidirect.groups import LieGroup as LieGroup
from semidirect.groups import Pullback as Pullback
from semidirect.groups import RealSpace as RealSpace
from semidirect.groups import Representation as Representation
from semidirect.groups import VectorRepresentation as VectorRepresentation
from semidirect.hybrid import Hybrid as Hybrid
from semidirect.hybrid import Impact as Impact
from semidirect.hybrid import Switch as Switch
from semidirect.inference import ExtendedKalman as ExtendedKalman
from semidirect.inference import Observation as Observation
from semidirect.inference import filter as filter
from semidirect.inference import fit as fit
from semidirect.integrators import Integrator as Integrator
from semidirect.lattices import Lattice as Lattice
from semidirect.matrices import MatrixLiePoisson as MatrixLiePoisson
from semidirect.random import Wiener as Wiener
from semidirect.run import Run as Run
from semidirect.run import extend as extend
from semidirect.specification import Checks as Checks
from semidirect.specification import Crossing as Crossing
from semidirect.specification import Formulation as Formulation
from semidirect.specification import Reduce as Reduce
from semidirect.specification import Save as Save
from semidirect.specification import Stop as Stop
from semidirect.statistics import Covariance as Covariance
from semidirect.statistics import Extremes as Extremes
from semidirect.statistics import FirstPassage as FirstPassage
from semidirect.statistics import Histogram as Histogram
from semidirect.statistics import Moments as Moments
from semidirect.statistics import TimeAverage as TimeAverage
from semidirect.system import Kinematics as Kinematics
from semidirect.system import System as System

__version__: str

# systems of the library, written by `python docs/load_signatures.py`
from semidirect_chaplygin_sleigh.chaplygin_sleigh import ChaplyginSleigh
from semidirect_falling_disc.falling_disc import FallingDisc
from semidirect_heavy_top.heavy_top import HeavyTop
from semidirect_kirchhoff_body.kirchhoff_body import KirchhoffBody
from semidirect_nonholonomic_particle.nonholonomic_particle import NonholonomicParticle
from semidirect_point_vortices.point_vortices import PointVortices
from semidirect_rattleback.rattleback import Rattleback
from semidirect_rigid_body.rigid_body import RigidBody
from semidirect_rolling_ball.rolling_ball import RollingBall
from semidirect_rolling_disk.rolling_disk import RollingDisk
from semidirect_slipping_ball.slipping_ball import SlippingBall
from semidirect_spherical_robot.spherical_robot import SphericalRobot
from semidirect_spin_chain.spin_chain import SpinChain
from semidirect_suslov.suslov import Suslov
from semidirect_tippe_top.tippe_top import TippeTop
from semidirect_turntable_ball.turntable_ball import TurntableBall
from semidirect_wheeled_robots.differential_drive import DifferentialDrive
from semidirect_wheeled_robots.roller_racer import RollerRacer

# fmt: off
@overload
def load(
    name: Literal["chaplygin-ball"], *, inertia: Numbers = ..., mass: Numbers = 1.0, radius: Numbers = 1.0,
    offset: Numbers = 0.0, axis: Numbers = ..., gravity: Numbers = 1.0, noise: Numbers = ...,
    vertical_noise: Numbers = ..., coupling: Literal["variational", "printed"] = "variational",
    vertical: Literal["formal", "varied"] = "formal"
) -> RollingBall: ...
@overload
def load(
    name: Literal["chaplygin-sleigh"], *, mass: Numbers = 1.3, inertia: Numbers = 0.7, ahead: Numbers = 0.4,
    noise: Numbers = ...
) -> ChaplyginSleigh: ...
@overload
def load(
    name: Literal["clebsch-body"], *, inertia: Numbers = ..., masses: Numbers = ..., noise: Numbers = ...
) -> KirchhoffBody: ...
@overload
def load(
    name: Literal["differential-drive"], *, mass: Numbers = 5.0, inertia: Numbers = ..., centre: Numbers = ...,
    wheel_mass: Numbers = 0.5, axial: Numbers = 0.002, across: Numbers = 0.001, width: Numbers = 0.2,
    radius: Numbers = 0.08, caster: Numbers = ..., gravity: Numbers = 9.81, torque: Numbers = ...,
    noise: Numbers = ..., slip: Numbers = ...
) -> DifferentialDrive: ...
@overload
def load(
    name: Literal["euler-disc"], *, mass: Numbers = 0.44, radius: Numbers = 0.0381,
    diametral: Numbers = 0.0001596771, axial: Numbers = 0.0003193542, gravity: Numbers = 9.81, noise: Numbers = ...,
    start: Literal["rolling", "spolling"] = "spolling"
) -> FallingDisc: ...
@overload
def load(
    name: Literal["falling-disc"], *, mass: Numbers = 1.0, radius: Numbers = 1.0, diametral: Numbers = 0.25,
    axial: Numbers = 0.5, gravity: Numbers = 1.0, noise: Numbers = ...,
    start: Literal["rolling", "spolling"] = "rolling"
) -> FallingDisc: ...
@overload
def load(
    name: Literal["heavy-top"], *, mass: Numbers = 1.0, inertia: Numbers = ..., arm: Numbers = 1.0,
    axis: Numbers = ..., gravity: Numbers = 1.0, noise: Numbers = ..., vertical_noise: Numbers = ...
) -> HeavyTop: ...
@overload
def load(
    name: Literal["kirchhoff-body"], *, inertia: Numbers = ..., masses: Numbers = ..., noise: Numbers = ...
) -> KirchhoffBody: ...
@overload
def load(
    name: Literal["kovalevskaya-top"], *, mass: Numbers = 1.0, inertia: Numbers = ..., arm: Numbers = 1.0,
    axis: Numbers = ..., gravity: Numbers = 1.0, noise: Numbers = ..., vertical_noise: Numbers = ...
) -> HeavyTop: ...
@overload
def load(
    name: Literal["lagrange-top"], *, mass: Numbers = 1.0, inertia: Numbers = ..., arm: Numbers = 1.0,
    axis: Numbers = ..., gravity: Numbers = 1.0, noise: Numbers = ..., vertical_noise: Numbers = ...
) -> HeavyTop: ...
@overload
def load(
    name: Literal["line-follower"], *, inertia: Numbers = ..., rotor_inertia: Numbers = ..., mass: Numbers = 1.3,
    radius: Numbers = 0.7, torque: Numbers = ..., stiffness: Numbers = 4.0, steering: Numbers = 1.0,
    speed: Numbers = 0.5, noise: Numbers = ..., rotor_noise: Numbers = ..., torque_noise: Numbers = ...,
    control: Literal["constant", "line"] = "line"
) -> SphericalRobot: ...
@overload
def load(
    name: Literal["nonholonomic-particle"], *, mass: Numbers = 1.0, noise: Numbers = ...
) -> NonholonomicParticle: ...
@overload
def load(
    name: Literal["point-vortices"], *, strengths: Numbers = ..., interaction: Numbers = 0.07957747154594767,
    turn: Numbers = ...
) -> PointVortices: ...
@overload
def load(
    name: Literal["rattleback"], *, semiaxes: Numbers = ..., drop: Numbers = 0.01, inertia: Numbers = ...,
    mass: Numbers = 1.0, gravity: Numbers = 9.8, noise: Numbers = ...
) -> Rattleback: ...
@overload
def load(
    name: Literal["rigid-body"], *, inertia: Numbers = ..., noise: Numbers = ..., advect_gamma: bool = False
) -> RigidBody: ...
@overload
def load(
    name: Literal["roller-racer"], *, mass: Numbers = 1.2, bar_mass: Numbers = 0.4, inertia: Numbers = 0.2,
    bar_inertia: Numbers = 0.05, behind: Numbers = 0.2, before: Numbers = 0.1, axle: Numbers = 0.4,
    bar_axle: Numbers = 0.15, torque: Numbers = 0.0, frequency: Numbers = 3.0, stiffness: Numbers = 0.0,
    damping: Numbers = 0.0, noise: Numbers = ...
) -> RollerRacer: ...
@overload
def load(
    name: Literal["rolling-ball"], *, inertia: Numbers = ..., mass: Numbers = 1.0, radius: Numbers = 1.0,
    offset: Numbers = 0.3, axis: Numbers = ..., gravity: Numbers = 1.0, noise: Numbers = ...,
    vertical_noise: Numbers = ..., coupling: Literal["variational", "printed"] = "variational",
    vertical: Literal["formal", "varied"] = "formal"
) -> RollingBall: ...
@overload
def load(
    name: Literal["rolling-disk"], *, mass: Numbers = 1.0, radius: Numbers = 1.0, spin_inertia: Numbers = 0.5,
    turn_inertia: Numbers = 0.25, noise: Numbers = ..., variant: Literal["printed", "rolling-noise"] = "printed"
) -> RollingDisk: ...
@overload
def load(
    name: Literal["routh-sphere"], *, inertia: Numbers = ..., mass: Numbers = 1.0, radius: Numbers = 1.0,
    offset: Numbers = 0.3, axis: Numbers = ..., gravity: Numbers = 1.0, noise: Numbers = ...,
    vertical_noise: Numbers = ..., coupling: Literal["variational", "printed"] = "variational",
    vertical: Literal["formal", "varied"] = "formal"
) -> RollingBall: ...
@overload
def load(
    name: Literal["slipping-ball"], *, inertia: Numbers = ..., mass: Numbers = 1.3, radius: Numbers = 0.7,
    offset: Numbers = 0.2, axis: Numbers = ..., gravity: Numbers = 9.81, body_slip: Numbers = ...,
    space_slip: Numbers = ..., relaxation: Numbers = 2.0, agitation: Numbers = 0.1, coloured: bool = False
) -> SlippingBall: ...
@overload
def load(
    name: Literal["spherical-robot"], *, inertia: Numbers = ..., rotor_inertia: Numbers = ..., mass: Numbers = 1.3,
    radius: Numbers = 0.7, torque: Numbers = ..., stiffness: Numbers = 4.0, steering: Numbers = 1.0,
    speed: Numbers = 0.5, noise: Numbers = ..., rotor_noise: Numbers = ..., torque_noise: Numbers = ...,
    control: Literal["constant", "line"] = "constant"
) -> SphericalRobot: ...
@overload
def load(
    name: Literal["spin-chain"], *, coupling: Numbers = ..., field: Numbers = ..., easy_axis: Numbers = 0.1,
    noise: Numbers = ..., ring: bool = False
) -> SpinChain: ...
@overload
def load(
    name: Literal["suslov"], *, inertia: Numbers = ..., noise: Numbers = ...
) -> Suslov: ...
@overload
def load(
    name: Literal["tippe-top"], *, mass: Numbers = 0.02, radius: Numbers = 0.02, offset: Numbers = 0.006,
    inertia: Numbers = ..., gravity: Numbers = 9.82, coefficient: Numbers = 0.3, viscosity: Numbers = 0.05,
    smoothing: Numbers = 0.001, friction_noise: Numbers = ...,
    friction: Literal["proportional", "coulomb", "viscous"] = "proportional"
) -> TippeTop: ...
@overload
def load(
    name: Literal["turntable-ball"], *, inertia: Numbers = ..., mass: Numbers = 1.0, radius: Numbers = 1.0,
    rate: Numbers = 1.0, gravity: Numbers = 9.81, noise: Numbers = ...
) -> TurntableBall: ...
# fmt: on
# end of the systems of the library
@overload
def load(name: str, **choices: Any) -> System: ...
