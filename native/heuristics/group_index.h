// The placed members of each group of a partition, as table indices, for up to 64 variables: the
// set with its bits in the order of the groups, gathered a byte at a time.
#pragma once

#include <cstdint>
#include <vector>

namespace anytimebn {

class GroupIndex {
 public:
    struct Place {
        std::uint32_t group, bit;
    };

    GroupIndex() = default;
    GroupIndex(std::size_t variables, const std::vector<std::vector<std::uint32_t>>& groups)
        : place_(variables), bytes_((variables + 7) / 8) {
        unsigned shift = 0;
        std::vector<unsigned> first_bit;
        for (std::uint32_t g = 0; g < groups.size(); ++g) {
            for (std::uint32_t i = 0; i < groups[g].size(); ++i) place_[groups[g][i]] = {g, i};
            first_bit.push_back(shift);
            sizes_.push_back(static_cast<unsigned>(groups[g].size()));
            shift += sizes_.back();
        }
        if (variables > 64) return;
        permuted_.assign(bytes_ * 256, 0);
        for (std::size_t v = 0; v < variables; ++v)
            for (std::size_t byte = 0; byte < 256; ++byte)
                if (byte >> (v % 8) & 1)
                    permuted_[v / 8 * 256 + byte] |=
                        std::uint64_t{1} << (first_bit[place_[v].group] + place_[v].bit);
    }

    Place place(std::size_t variable) const { return place_[variable]; }

    // Calls body(group, index) for each group.
    template <class Body>
    void for_each(std::uint64_t placed, Body&& body) const {
        std::uint64_t permuted = 0;
        for (std::size_t b = 0; b < bytes_; ++b)
            permuted |= permuted_[b * 256 + (placed >> (8 * b) & 255)];
        for (std::size_t g = 0; g < sizes_.size(); ++g) {
            if (sizes_[g] == 64) {
                body(g, permuted);
                return;
            }
            body(g, permuted & ((std::uint64_t{1} << sizes_[g]) - 1));
            permuted >>= sizes_[g];
        }
    }

 private:
    std::vector<Place> place_;
    std::size_t bytes_ = 0;
    std::vector<unsigned> sizes_;
    std::vector<std::uint64_t> permuted_;
};

}  // namespace anytimebn
