"""Modules that have moved: what was pickled with their former names still opens."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, final

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

MOVED: Mapping[str, str] = {
    "semidirect.analysis.advice.constants": "semidirect.invariants.constants",
    "semidirect.core.addresses": "semidirect.machine.addresses",
    "semidirect.core.cache": "semidirect.machine.cache",
    "semidirect.core.cache.files": "semidirect.machine.cache.files",
    "semidirect.core.cache.machine_code": "semidirect.machine.cache.machine_code",
    "semidirect.core.cache.machine_function": "semidirect.machine.cache.machine_function",
    "semidirect.core.cache.private_folder": "semidirect.machine.cache.private_folder",
    "semidirect.core.collector": "semidirect.machine.collector",
    "semidirect.core.component_names": "semidirect.expressions.component_names",
    "semidirect.core.entries": "semidirect.text.entries",
    "semidirect.core.expanded_size": "semidirect.expressions.expanded_size",
    "semidirect.core.expression": "semidirect.expressions.expression",
    "semidirect.core.expression_units": "semidirect.expressions.expression_units",
    "semidirect.core.lazy_mapping": "semidirect.results.lazy_mapping",
    "semidirect.core.llvm_text": "semidirect.machine.llvm_text",
    "semidirect.core.moved_arguments": "semidirect.specification.moved_arguments",
    "semidirect.core.one_at_a_time": "semidirect.machine.one_at_a_time",
    "semidirect.core.one_blas_thread": "semidirect.machine.one_blas_thread",
    "semidirect.core.output": "semidirect.text.output",
    "semidirect.core.path_rows": "semidirect.state.path_rows",
    "semidirect.core.probe_values": "semidirect.model.probe_values",
    "semidirect.core.reached_code": "semidirect.machine.reached_code",
    "semidirect.core.read_by_name": "semidirect.expressions.read_by_name",
    "semidirect.core.run_argument": "semidirect.specification.run_argument",
    "semidirect.core.size_limits": "semidirect.expressions.size_limits",
    "semidirect.core.text_layout": "semidirect.text.text_layout",
    "semidirect.core.time_labels": "semidirect.specification.time_labels",
    "semidirect.core.units": "semidirect.expressions.units",
    "semidirect.definition.shapes": "semidirect.shapes",
    "semidirect.ensemble.arrays_by_name": "semidirect.quantities.arrays_by_name",
    "semidirect.ensemble.assembly": "semidirect.results.assembly",
    "semidirect.ensemble.checks": "semidirect.specification.checks",
    "semidirect.ensemble.choose_engine": "semidirect.engines.choose_engine",
    "semidirect.ensemble.chunk": "semidirect.engines.chunk",
    "semidirect.ensemble.chunked": "semidirect.specification.chunked",
    "semidirect.ensemble.condition": "semidirect.specification.condition",
    "semidirect.ensemble.conditions": "semidirect.specification.conditions",
    "semidirect.ensemble.continuation": "semidirect.engines.continuation",
    "semidirect.ensemble.crossing": "semidirect.specification.crossing",
    "semidirect.ensemble.data_set": "semidirect.results.data_set",
    "semidirect.ensemble.default_method": "semidirect.specification.default_method",
    "semidirect.ensemble.differences": "semidirect.results.differences",
    "semidirect.ensemble.driver": "semidirect.specification.driver",
    "semidirect.ensemble.engine": "semidirect.engines.engine",
    "semidirect.ensemble.engines": "semidirect.engines.built_in",
    "semidirect.ensemble.engines.chosen_states": "semidirect.engines.built_in.chosen_states",
    "semidirect.ensemble.engines.cost_of_step": "semidirect.engines.built_in.cost_of_step",
    "semidirect.ensemble.engines.kernel_engine": "semidirect.engines.built_in.kernel_engine",
    "semidirect.ensemble.engines.lane_states": "semidirect.engines.built_in.lane_states",
    "semidirect.ensemble.engines.numpy_engine": "semidirect.engines.built_in.numpy_engine",
    "semidirect.ensemble.error_check": "semidirect.results.error_check",
    "semidirect.ensemble.event_slopes": "semidirect.engines.events.event_slopes",
    "semidirect.ensemble.events": "semidirect.engines.events.events",
    "semidirect.ensemble.execute": "semidirect.engines.execute",
    "semidirect.ensemble.execution": "semidirect.engines.execution",
    "semidirect.ensemble.formulation": "semidirect.specification.formulation",
    "semidirect.ensemble.hybrid": "semidirect.hybrid",
    "semidirect.ensemble.hybrid.collision": "semidirect.hybrid.collision",
    "semidirect.ensemble.hybrid.consistent": "semidirect.hybrid.consistent",
    "semidirect.ensemble.hybrid.differentiated_modes": "semidirect.hybrid.differentiated_modes",
    "semidirect.ensemble.hybrid.hybrid": "semidirect.hybrid.hybrid",
    "semidirect.ensemble.hybrid.hybrid_run": "semidirect.hybrid.hybrid_run",
    "semidirect.ensemble.hybrid.level_ground": "semidirect.hybrid.level_ground",
    "semidirect.ensemble.hybrid.lost_paths": "semidirect.hybrid.lost_paths",
    "semidirect.ensemble.hybrid.mode": "semidirect.hybrid.mode",
    "semidirect.ensemble.hybrid.passage": "semidirect.hybrid.passage",
    "semidirect.ensemble.hybrid.paths": "semidirect.hybrid.paths",
    "semidirect.ensemble.hybrid.slopes": "semidirect.hybrid.slopes",
    "semidirect.ensemble.hybrid.switch": "semidirect.hybrid.switch",
    "semidirect.ensemble.locate": "semidirect.engines.events.locate",
    "semidirect.ensemble.named_array": "semidirect.quantities.named_array",
    "semidirect.ensemble.not_saved": "semidirect.quantities.not_saved",
    "semidirect.ensemble.partial_step": "semidirect.engines.events.partial_step",
    "semidirect.ensemble.progress": "semidirect.engines.progress",
    "semidirect.ensemble.quantities": "semidirect.quantities.quantities",
    "semidirect.ensemble.record": "semidirect.engines.record",
    "semidirect.ensemble.recorded_crossings": "semidirect.results.recorded_crossings",
    "semidirect.ensemble.reduce": "semidirect.specification.reduce",
    "semidirect.ensemble.reductions": "semidirect.statistics",
    "semidirect.ensemble.reductions.batch_means": "semidirect.statistics.batch_means",
    "semidirect.ensemble.reductions.choose": "semidirect.statistics.choose",
    "semidirect.ensemble.reductions.covariance": "semidirect.statistics.covariance",
    "semidirect.ensemble.reductions.extremes": "semidirect.statistics.extremes",
    "semidirect.ensemble.reductions.first_passage": "semidirect.statistics.first_passage",
    "semidirect.ensemble.reductions.histogram": "semidirect.statistics.histogram",
    "semidirect.ensemble.reductions.moments": "semidirect.statistics.moments",
    "semidirect.ensemble.reductions.of_quantities": "semidirect.statistics.of_quantities",
    "semidirect.ensemble.reductions.reduction": "semidirect.statistics.reduction",
    "semidirect.ensemble.reductions.time_average": "semidirect.statistics.time_average",
    "semidirect.ensemble.reductions.tree": "semidirect.statistics.tree",
    "semidirect.ensemble.reductions.written": "semidirect.statistics.written",
    "semidirect.ensemble.room": "semidirect.engines.room",
    "semidirect.ensemble.run": "semidirect.results.run",
    "semidirect.ensemble.run_expression": "semidirect.results.run_expression",
    "semidirect.ensemble.run_html": "semidirect.results.run_html",
    "semidirect.ensemble.save": "semidirect.specification.save",
    "semidirect.ensemble.schedule": "semidirect.specification.schedule",
    "semidirect.ensemble.seeds": "semidirect.specification.seeds",
    "semidirect.ensemble.sensitivity": "semidirect.results.sensitivity",
    "semidirect.ensemble.sides": "semidirect.engines.events.sides",
    "semidirect.ensemble.signals": "semidirect.engines.signals",
    "semidirect.ensemble.sink": "semidirect.engines.sink",
    "semidirect.ensemble.spec": "semidirect.specification.run_spec",
    "semidirect.ensemble.step_error": "semidirect.results.step_error",
    "semidirect.ensemble.stepper": "semidirect.stepper.stepper",
    "semidirect.ensemble.stop": "semidirect.specification.stop",
    "semidirect.ensemble.stopped_paths": "semidirect.results.stopped_paths",
    "semidirect.ensemble.store.extend": "semidirect.ensemble.extend_on_disk",
    "semidirect.ensemble.store_place": "semidirect.specification.store_place",
    "semidirect.ensemble.tangent_vectors": "semidirect.stepper.tangent_vectors",
    "semidirect.ensemble.unit_of_quantity": "semidirect.quantities.unit_of_quantity",
    "semidirect.ensemble.values_at_end": "semidirect.results.values_at_end",
    "semidirect.ensemble.values_at_stop": "semidirect.engines.events.values_at_stop",
    "semidirect.groups.geomstats_adapter": "semidirect.geometry.geomstats_adapter",
    "semidirect.inference.ensemble_kalman": "semidirect.inference.updates.ensemble_kalman",
    "semidirect.inference.extended_kalman": "semidirect.inference.updates.extended_kalman",
    "semidirect.inference.particle_update": "semidirect.inference.updates.particle_update",
    "semidirect.integrators.order_fit": "semidirect.analysis.order_fit",
}
"""Former name → present name."""


@final
class MovedModules:
    """Finds the former names of modules, after all other finders: a module under such a name has the names of the present one."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The specification of a module that has moved."""
        if fullname not in MOVED:
            return None
        from importlib.machinery import ModuleSpec

        return ModuleSpec(fullname, self, is_package=True)  # type: ignore[arg-type]  # a loader without its base class

    def create_module(self, spec: ModuleSpec) -> None:
        """A module as usual."""

    def exec_module(self, module: ModuleType) -> None:
        """Let the module look its names up in the present one."""
        present = MOVED[module.__name__]

        def find(name: str) -> Any:
            return getattr(import_module(present), name)

        vars(module)["__getattr__"] = find


def find_moved_modules() -> None:
    """Let imports find the former names."""
    if not any(isinstance(finder, MovedModules) for finder in sys.meta_path):
        sys.meta_path.append(MovedModules())
