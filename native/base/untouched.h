// Vectors of plain values that start with whatever is in memory: of a large one, only the pages
// that are written to take memory.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace anytimebn {

template <class T>
struct LeavingUntouched : std::allocator<T> {
    static_assert(std::is_trivial_v<T>);
    template <class Other>
    struct rebind {
        using other = LeavingUntouched<Other>;
    };
    template <class Value>
    void construct(Value*) {}
    template <class Value, class... Arguments>
    void construct(Value* place, Arguments&&... arguments) {
        ::new (static_cast<void*>(place)) Value(std::forward<Arguments>(arguments)...);
    }
};

template <class T>
using UntouchedVector = std::vector<T, LeavingUntouched<T>>;

}  // namespace anytimebn
