// The Python module: one register function a topic, nothing else.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace anytimebn {
void register_all_networks(nb::module_& module);
void register_base(nb::module_& module);
void register_cuts(nb::module_& module);
void register_evaluation(nb::module_& module);
void register_heuristics(nb::module_& module);
void register_local(nb::module_& module);
void register_problem(nb::module_& module);
void register_scores(nb::module_& module);
void register_search(nb::module_& module);
void register_tables(nb::module_& module);
}  // namespace anytimebn

NB_MODULE(_native, module) {
    module.doc() = "Native core of anytimebn; use the functions of the package instead.";
    // What notebooks and caches keep until the interpreter ends is no fault of anybody's.
    nb::set_leak_warnings(false);
    anytimebn::register_base(module);
    anytimebn::register_tables(module);
    anytimebn::register_problem(module);
    anytimebn::register_all_networks(module);
    anytimebn::register_evaluation(module);
    anytimebn::register_heuristics(module);
    anytimebn::register_local(module);
    anytimebn::register_scores(module);
    anytimebn::register_search(module);
    anytimebn::register_cuts(module);
}
