#include "base/cpu.h"

#include <algorithm>
#include <atomic>

namespace anytimebn {
namespace {

InstructionSet best_available() {
#if defined(ANYTIMEBN_HAVE_AVX2)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
        __builtin_cpu_supports("popcnt"))
        return InstructionSet::avx2;
#endif
    return InstructionSet::portable;
}

std::atomic<InstructionSet> chosen{best_available()};

}  // namespace

InstructionSet instruction_set() { return chosen.load(std::memory_order_relaxed); }

void limit_instruction_set(InstructionSet limit) {
    chosen.store(std::min(limit, best_available()), std::memory_order_relaxed);
}

bool fast_bit_extract() {
#if defined(ANYTIMEBN_HAVE_AVX2)
    return instruction_set() == InstructionSet::avx2 && !__builtin_cpu_is("amdfam15h") &&
           !__builtin_cpu_is("amdfam17h");
#else
    return false;
#endif
}

}  // namespace anytimebn
