"""A run as an xarray Dataset whose attributes follow the CF conventions, and as a table of pandas."""

from semidirect.results.data_set.axes import AXES, COMPONENT, PATH, TIME, axis, dims, writable_name
from semidirect.results.data_set.conversion import INITIAL, by_path, data_frame, data_set

__all__ = [
    "AXES",
    "COMPONENT",
    "INITIAL",
    "PATH",
    "TIME",
    "axis",
    "by_path",
    "data_frame",
    "data_set",
    "dims",
    "writable_name",
]
