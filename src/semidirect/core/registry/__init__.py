"""Tables of classes by name: the classes of a package of semidirect, and the classes that other installed packages add.

A class of semidirect needs only its file: the modules of the package are searched for final classes with a name. A class
of another package is declared by an entry point of the table's group, whose name is that of the class::

    [project.entry-points."semidirect.methods"]
    my-method = "my_package.my_method:MyMethod"

The metadata of installed packages is read only if a name is not one of semidirect's own, or if all names are needed;
a class of another package is imported when its name is used.
"""

from semidirect.core.registry.extension import Extension, installed, of_other_package, replace_entry_points
from semidirect.core.registry.registry import Registry

__all__ = ["Extension", "Registry", "installed", "of_other_package", "replace_entry_points"]
