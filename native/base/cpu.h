// Which instruction set the hot kernels use, decided once at run time.
#pragma once

namespace anytimebn {

enum class InstructionSet { portable, avx2 };

// What this processor can run, unless `limit_instruction_set` asked for less (tests do).
InstructionSet instruction_set();
void limit_instruction_set(InstructionSet limit);

// The parallel bit extract of AMD processors before Zen 3 is microcoded and far slower than ours.
bool fast_bit_extract();

}  // namespace anytimebn
