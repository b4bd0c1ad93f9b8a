"""Where results of all systems with one definition are: they live as long as the class, or the data, that define them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semidirect.core import Results, results_of
from semidirect.definition.given_motion import GivenMotion
from semidirect.groups import described_group

if TYPE_CHECKING:
    from semidirect.definition.system_definition import SystemDefinition


def shared_results(system: SystemDefinition) -> Results:
    """Results of the systems of one class, by keys that say signature and identity.

    Those of a motion whose data are functions, or whose group is not one of the library, live with these data.
    """
    kind = type(system)
    if not isinstance(system, GivenMotion):
        return results_of(kind)
    data = system.workings.signature[1]
    group, functions = system.group, [value for name, value in data if name != "group"]
    if functions:
        return results_of(functions[0])
    if type(group).__module__.partition(".")[0] != "semidirect":
        return results_of(type(group))
    return results_of(kind if described_group(repr(group)) == group else group)
