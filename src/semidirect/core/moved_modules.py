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
    "semidirect.analysis.convergence": "semidirect.analysis.convergence_study",
    "semidirect.cli.main": "semidirect.cli.entry",
    "semidirect.compile.function_of_rows": "semidirect.compile.row_functions.row_loops",
    "semidirect.compile.kernel": "semidirect.compile.kernels",
    "semidirect.compile.reader": "semidirect.compile.row_functions.readers",
    "semidirect.compile.row_function": "semidirect.compile.row_functions.row_function",
    "semidirect.compile.row_functions.reader": "semidirect.compile.row_functions.readers",
    "semidirect.compile.row_loops": "semidirect.compile.row_functions.row_loops",
    "semidirect.core.addresses": "semidirect.machine.addresses",
    "semidirect.core.announced": "semidirect.core.messages.announcement",
    "semidirect.core.cache": "semidirect.machine.cache",
    "semidirect.core.cache.files": "semidirect.machine.cache.files",
    "semidirect.core.cache.machine_code": "semidirect.machine.cache.machine_code",
    "semidirect.core.cache.machine_function": "semidirect.machine.cache.machine_function",
    "semidirect.core.cache.private_folder": "semidirect.machine.cache.private_folder",
    "semidirect.core.callers_line": "semidirect.core.messages.callers_line",
    "semidirect.core.collector": "semidirect.machine.collector",
    "semidirect.core.component_names": "semidirect.expressions.component_names",
    "semidirect.core.elimination": "semidirect.core.exact.elimination",
    "semidirect.core.entries": "semidirect.text.entries",
    "semidirect.core.exact_field": "semidirect.core.functions.exact_field",
    "semidirect.core.expanded_size": "semidirect.expressions.expression_sizes.expanded",
    "semidirect.core.expression": "semidirect.expressions.expression_text.evaluation",
    "semidirect.core.expression_units": "semidirect.expressions.expression_text.units",
    "semidirect.core.fixed_point": "semidirect.core.solvers.iteration",
    "semidirect.core.hooks": "semidirect.core.user_code.hooks",
    "semidirect.core.interpolated": "semidirect.core.symbols.interpolated",
    "semidirect.core.lazy_mapping": "semidirect.results.lazy_mapping",
    "semidirect.core.linear": "semidirect.core.solvers.linear",
    "semidirect.core.llvm_text": "semidirect.machine.llvm_text",
    "semidirect.core.moved_arguments": "semidirect.specification.moved_arguments",
    "semidirect.core.near_names": "semidirect.core.messages.near_names",
    "semidirect.core.newton": "semidirect.core.solvers.newton",
    "semidirect.core.one_at_a_time": "semidirect.stepper.one_at_a_time",
    "semidirect.core.one_blas_thread": "semidirect.machine.blas_threads",
    "semidirect.core.output": "semidirect.text.printing",
    "semidirect.core.path_rows": "semidirect.state.path_rows",
    "semidirect.core.probe_values": "semidirect.model.probe_values",
    "semidirect.core.reached_code": "semidirect.machine.reached_code",
    "semidirect.core.read_by_name": "semidirect.expressions.read_by_name",
    "semidirect.core.run_argument": "semidirect.specification.run_argument",
    "semidirect.core.shortened": "semidirect.core.messages.shortened",
    "semidirect.core.signatures": "semidirect.core.user_code.signatures",
    "semidirect.core.size_limits": "semidirect.expressions.expression_sizes.limits",
    "semidirect.core.text_layout": "semidirect.text.text_layout",
    "semidirect.core.time_labels": "semidirect.specification.schedule.labels",
    "semidirect.core.tracing": "semidirect.core.user_code.tracing",
    "semidirect.core.units": "semidirect.expressions.units",
    "semidirect.core.user_source_line": "semidirect.core.messages.user_source_line",
    "semidirect.definition.a_system": "semidirect.definition.system_argument",
    "semidirect.definition.recorded_system": "semidirect.definition.systems_of_records",
    "semidirect.definition.resolve": "semidirect.definition.system_names",
    "semidirect.definition.shapes": "semidirect.shapes",
    "semidirect.definition.shared_results": "semidirect.definition.results_of_class",
    "semidirect.engines.choose_engine": "semidirect.engines.stepping.choice",
    "semidirect.engines.chunk": "semidirect.engines.stepping.chunk",
    "semidirect.engines.continuation": "semidirect.engines.stepping.continuation",
    "semidirect.engines.execute": "semidirect.engines.stepping.tasks",
    "semidirect.engines.room": "semidirect.engines.stepping.room",
    "semidirect.engines.stepping.execute": "semidirect.engines.stepping.tasks",
    "semidirect.ensemble.arrays_by_name": "semidirect.quantities.arrays_by_name",
    "semidirect.ensemble.assembly": "semidirect.results.assembly",
    "semidirect.ensemble.checks": "semidirect.specification.checks",
    "semidirect.ensemble.choose_engine": "semidirect.engines.stepping.choice",
    "semidirect.ensemble.chunk": "semidirect.engines.stepping.chunk",
    "semidirect.ensemble.chunked": "semidirect.specification.chunked",
    "semidirect.ensemble.condition": "semidirect.specification.conditions.condition",
    "semidirect.ensemble.conditions": "semidirect.specification.conditions",
    "semidirect.ensemble.continuation": "semidirect.engines.stepping.continuation",
    "semidirect.ensemble.crossing": "semidirect.specification.conditions.crossing",
    "semidirect.ensemble.data_set": "semidirect.results.data_set",
    "semidirect.ensemble.default_method": "semidirect.specification.method_choice",
    "semidirect.ensemble.differences": "semidirect.results.difference",
    "semidirect.ensemble.driver": "semidirect.specification.driver",
    "semidirect.ensemble.engine": "semidirect.engines.engine",
    "semidirect.ensemble.engines": "semidirect.engines.built_in",
    "semidirect.ensemble.engines.chosen_states": "semidirect.engines.built_in.chosen_states",
    "semidirect.ensemble.engines.cost_of_step": "semidirect.engines.built_in.cost_of_step",
    "semidirect.ensemble.engines.kernel_engine": "semidirect.engines.built_in.kernel_engine",
    "semidirect.ensemble.engines.lane_states": "semidirect.engines.built_in.lane_states",
    "semidirect.ensemble.engines.numpy_engine": "semidirect.engines.built_in.numpy_engine",
    "semidirect.ensemble.event_slopes": "semidirect.engines.events.event_slopes",
    "semidirect.ensemble.events": "semidirect.engines.events.events",
    "semidirect.ensemble.execute": "semidirect.engines.stepping.tasks",
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
    "semidirect.ensemble.recorded_crossings": "semidirect.results.crossings",
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
    "semidirect.ensemble.room": "semidirect.engines.stepping.room",
    "semidirect.ensemble.run": "semidirect.results.run",
    "semidirect.ensemble.run_expression": "semidirect.results.run_expression",
    "semidirect.ensemble.run_html": "semidirect.results.run_page",
    "semidirect.ensemble.save": "semidirect.specification.save",
    "semidirect.ensemble.schedule": "semidirect.specification.schedule",
    "semidirect.ensemble.seeds": "semidirect.specification.seeds",
    "semidirect.ensemble.sensitivity": "semidirect.results.derivatives",
    "semidirect.ensemble.sides": "semidirect.engines.events.sides",
    "semidirect.ensemble.signals": "semidirect.engines.signals",
    "semidirect.ensemble.simulate": "semidirect.ensemble.simulation",
    "semidirect.ensemble.sink": "semidirect.engines.sink",
    "semidirect.ensemble.spec": "semidirect.specification.run_spec",
    "semidirect.ensemble.step_error": "semidirect.results.step_error",
    "semidirect.ensemble.stepper": "semidirect.stepper.ensemble_stepper",
    "semidirect.ensemble.stop": "semidirect.specification.conditions.stop",
    "semidirect.ensemble.stopped_paths": "semidirect.results.stopped_paths",
    "semidirect.ensemble.store.extend": "semidirect.ensemble.extend_on_disk",
    "semidirect.ensemble.store_place": "semidirect.specification.places",
    "semidirect.ensemble.tangent_vectors": "semidirect.stepper.tangent_vectors",
    "semidirect.ensemble.unit_of_quantity": "semidirect.quantities.quantity_units",
    "semidirect.ensemble.values_at_end": "semidirect.results.values_at_end",
    "semidirect.ensemble.values_at_stop": "semidirect.engines.events.values_at_stop",
    "semidirect.equations.component_expressions": "semidirect.equations.quantity_expressions",
    "semidirect.equations.taylor": "semidirect.model.taylor",
    "semidirect.expressions.expanded_size": "semidirect.expressions.expression_sizes.expanded",
    "semidirect.expressions.expression": "semidirect.expressions.expression_text.evaluation",
    "semidirect.expressions.expression_units": "semidirect.expressions.expression_text.units",
    "semidirect.expressions.size_limits": "semidirect.expressions.expression_sizes.limits",
    "semidirect.groups.described_group": "semidirect.groups.group_texts",
    "semidirect.groups.geomstats_adapter": "semidirect.geometry.geomstats_adapter",
    "semidirect.inference.ensemble_kalman": "semidirect.inference.updates.ensemble_kalman",
    "semidirect.inference.extended_kalman": "semidirect.inference.updates.extended_kalman",
    "semidirect.inference.particle_update": "semidirect.inference.updates.particle_update",
    "semidirect.instructions.array_text": "semidirect.instructions.array_printer",
    "semidirect.instructions.needed": "semidirect.instructions.pruning",
    "semidirect.integrators.integrator": "semidirect.integrators.method",
    "semidirect.integrators.order_fit": "semidirect.analysis.order_fit",
    "semidirect.invariants.integrability": "semidirect.invariants.frobenius",
    "semidirect.invariants.prove": "semidirect.invariants.proofs",
    "semidirect.laws.budget": "semidirect.laws.sizes",
    "semidirect.machine.one_at_a_time": "semidirect.stepper.one_at_a_time",
    "semidirect.machine.one_blas_thread": "semidirect.machine.blas_threads",
    "semidirect.model.directions": "semidirect.model.sensitivities.directions",
    "semidirect.model.group_slopes": "semidirect.hybrid.group_slopes",
    "semidirect.model.kinetic_projection": "semidirect.hybrid.kinetic_projection",
    "semidirect.model.noise_class": "semidirect.model.noise_classes",
    "semidirect.model.noise_of_quantity": "semidirect.model.quantity_noise",
    "semidirect.model.numerical_sde": "semidirect.model.numerical_model",
    "semidirect.model.slopes_along_group": "semidirect.hybrid.group_slopes",
    "semidirect.model.tangents": "semidirect.model.sensitivities.tangents",
    "semidirect.quantities.unit_of_quantity": "semidirect.quantities.quantity_units",
    "semidirect.results.differences": "semidirect.results.difference",
    "semidirect.results.error_check": "semidirect.ensemble.error_check",
    "semidirect.results.recorded_crossings": "semidirect.results.crossings",
    "semidirect.results.run_html": "semidirect.results.run_page",
    "semidirect.results.sensitivity": "semidirect.results.derivatives",
    "semidirect.specification.condition": "semidirect.specification.conditions.condition",
    "semidirect.specification.crossing": "semidirect.specification.conditions.crossing",
    "semidirect.specification.default_method": "semidirect.specification.method_choice",
    "semidirect.specification.stop": "semidirect.specification.conditions.stop",
    "semidirect.specification.store_place": "semidirect.specification.places",
    "semidirect.specification.time_labels": "semidirect.specification.schedule.labels",
    "semidirect.state.evaluate": "semidirect.state.evaluation",
    "semidirect.state.linearise": "semidirect.state.linearisation",
    "semidirect.stepper.stepper": "semidirect.stepper.ensemble_stepper",
    "semidirect.text.output": "semidirect.text.printing",
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
