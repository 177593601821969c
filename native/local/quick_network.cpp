#include "local/quick_network.h"

#include <algorithm>

namespace anytimebn {
namespace {

class QuickNetwork {
 public:
    explicit QuickNetwork(const ParentSets& sets)
        : sets_(sets), placed_(sets.variables(), false), chosen_(sets.variables()) {}

    std::vector<std::size_t> find() {
        std::size_t left = sets_.variables();
        for (bool placed = true; placed && left > 0;) {
            placed = false;
            // A closer look at all sets only where otherwise nobody could be placed.
            for (const bool thorough : {false, true})
                for (std::size_t v = 0; v < sets_.variables() && !(thorough && placed); ++v)
                    if (!placed_[v] && choose(v, thorough)) {
                        placed_[v] = placed = true;
                        --left;
                    }
        }
        if (left > 0) chosen_.clear();
        return std::move(chosen_);
    }

 private:
    static constexpr std::size_t beginning = 4096;

    bool choose(std::size_t v, bool thorough) {
        const std::size_t first = sets_.first(v), end = sets_.first(v + 1);
        const std::size_t looked_at = thorough ? end : std::min(end, first + beginning);
        for (std::size_t s = first; s < looked_at; ++s)
            if (fits(s)) {
                chosen_[v] = s;
                return true;
            }
        chosen_[v] = end - 1;  // the dearest: in most lists the empty set
        return fits(end - 1);
    }

    bool fits(std::size_t set) const {
        const auto members = sets_.members(set);
        return std::all_of(members.begin(), members.end(), [&](std::int32_t member) {
            return placed_[static_cast<std::size_t>(member)];
        });
    }

    const ParentSets& sets_;
    std::vector<bool> placed_;
    std::vector<std::size_t> chosen_;
};

}  // namespace

std::vector<std::size_t> quick_network(const ParentSets& sets) { return QuickNetwork(sets).find(); }

}  // namespace anytimebn
