"""Validation of arguments: seeds, counts, path numbers, numbers, names, file paths, URLs; raises :class:`InputError`."""

from semidirect.core.arguments.locations import validated_location
from semidirect.core.arguments.names import (
    validated_instance,
    validated_name,
    validated_names,
    validated_place,
    validated_sequence,
)
from semidirect.core.arguments.numbers import (
    finite_time,
    numeric,
    validated_array,
    validated_flag,
    validated_number,
    validated_paths,
    validated_positive,
    validated_seed,
    validated_time,
    validated_whole,
)

__all__ = [
    "finite_time",
    "numeric",
    "validated_array",
    "validated_flag",
    "validated_instance",
    "validated_location",
    "validated_name",
    "validated_names",
    "validated_number",
    "validated_paths",
    "validated_place",
    "validated_positive",
    "validated_seed",
    "validated_sequence",
    "validated_time",
    "validated_whole",
]
