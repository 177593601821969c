#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <stdexcept>

#include "base/control.h"
#include "base/cpu.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace anytimebn {

void register_base(nb::module_& module) {
    nb::class_<Control>(module, "Control",
                        "Stops a native call from another thread and follows it.")
        .def(nb::init<>())
        .def("stop", &Control::stop)
        .def_prop_ro("stopped", &Control::stopped)
        .def_prop_ro("fraction_done", &Control::fraction_done);
    module.def(
        "instruction_set",
        [] { return instruction_set() == InstructionSet::avx2 ? "avx2" : "portable"; },
        "The kernels in use: 'avx2' or 'portable'.");
    module.def(
        "limit_instruction_set",
        [](const std::string& name) {
            if (name != "avx2" && name != "portable")
                throw std::invalid_argument("instruction set must be 'avx2' or 'portable'");
            limit_instruction_set(name == "avx2" ? InstructionSet::avx2 : InstructionSet::portable);
        },
        "name"_a, "Use no better kernels than these (for tests).");
}

}  // namespace anytimebn
