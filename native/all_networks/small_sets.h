// All sets of at most so many of the variables 0 .. n-1, by the numbers that their bits make: those
// of the first m variables come first.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace anytimebn {

class SmallSets {
 public:
    SmallSets(std::size_t variables, std::size_t most_members)
        : most_members_(most_members), counts_((variables + 1) * (most_members + 1)) {
        const std::size_t width = most_members + 1;
        for (std::size_t m = 0; m <= variables; ++m)
            for (std::size_t k = 0; k < width; ++k)
                counts_[m * width + k] = m == 0
                                             ? 1
                                             : counts_[(m - 1) * width + k] +
                                                   (k == 0 ? 0 : counts_[(m - 1) * width + k - 1]);
        sets_.reserve(count(variables));
        sets_.push_back(0);
        without_last_.push_back(0);
        for (std::size_t m = 0; m < variables; ++m)
            for (std::size_t i = 0, before = sets_.size(); i < before; ++i)
                if (static_cast<std::size_t>(std::popcount(sets_[i])) < most_members) {
                    sets_.push_back(sets_[i] | std::uint32_t{1} << m);
                    without_last_.push_back(static_cast<std::uint32_t>(i));
                }
    }

    std::size_t most_members() const { return most_members_; }
    // Of the first m variables.
    std::size_t count(std::size_t m) const { return count(m, most_members_); }
    std::uint32_t operator[](std::size_t place) const { return sets_[place]; }
    // The place of the same set without its last member.
    std::size_t without_last(std::size_t place) const { return without_last_[place]; }
    std::size_t place(std::uint32_t set) const {
        std::size_t before = 0, room = most_members_;
        while (set != 0) {  // what has the members so far, but not the next
            const auto last = static_cast<std::size_t>(std::bit_width(set)) - 1;
            before += count(last, room--);
            set &= ~(std::uint32_t{1} << last);
        }
        return before;
    }

 private:
    std::size_t count(std::size_t m, std::size_t members) const {
        return counts_[m * (most_members_ + 1) + members];
    }

    std::size_t most_members_;
    std::vector<std::size_t> counts_;  // by number of variables and of members
    std::vector<std::uint32_t> sets_, without_last_;
};

}  // namespace anytimebn
