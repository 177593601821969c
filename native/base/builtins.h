// Built-in functions of GCC and Clang under the same names for Microsoft's compiler. Files that are
// compiled for several instruction sets use these, and nothing of the standard library that could
// become a function of its own (see scores/kernels_impl.h).
#pragma once

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>

static __forceinline int __builtin_ctzll(unsigned long long word) {  // of words that are not 0
    unsigned long position;
    _BitScanForward64(&position, word);
    return static_cast<int>(position);
}

#if defined(_M_X64)
#define __builtin_prefetch(address) \
    _mm_prefetch(reinterpret_cast<const char*>(address), _MM_HINT_T0)
#else
#define __builtin_prefetch(address) __prefetch(address)
#endif
#endif
