"""Labels of numbers: units, stated or derived from the group and the energy, and long names."""

from semidirect.definition.labels.group_units import displacement_units
from semidirect.definition.labels.long_names import PARAMETER, long_names
from semidirect.definition.labels.units import OF_CONSTRAINTS, OF_CONTACT, units_of

__all__ = ["OF_CONSTRAINTS", "OF_CONTACT", "PARAMETER", "displacement_units", "long_names", "units_of"]
