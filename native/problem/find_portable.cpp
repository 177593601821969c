#include <bit>

#include "problem/find.h"

namespace anytimebn {
namespace {

struct Block {
    std::uint64_t words[4];
};

inline Block load(const std::uint64_t* from) { return {{from[0], from[1], from[2], from[3]}}; }
inline Block join(Block a, Block b) {
    return {{a.words[0] | b.words[0], a.words[1] | b.words[1], a.words[2] | b.words[2],
             a.words[3] | b.words[3]}};
}
inline std::uint32_t first_zero(Block a) {
    for (std::uint32_t w = 0; w < 4; ++w)
        if (~a.words[w]) return w * 64 + static_cast<std::uint32_t>(std::countr_one(a.words[w]));
    return 256;
}

inline std::size_t ones(std::uint64_t word) {
    return static_cast<std::size_t>(std::popcount(word));
}

#include "problem/find_impl.h"

}  // namespace

std::uint32_t find_portable(const BestParents& best, std::size_t child,
                            const std::uint64_t* candidates, Cost limit) {
    return find(best, child, candidates, limit);
}

}  // namespace anytimebn
