// Random sets of placed variables with their exact costs: they tell how many nodes of the order
// graph a sweep would visit with given bounds, and where better bounds are needed.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "clusters/ascent.h"

namespace anytimebn {

class NodeSamples {
 public:
    // Of networks that cost less than `limit`. The calling thread asks whether it is `stopped`;
    // then the samples mean nothing.
    NodeSamples(const MaskedSets& sets, Cost limit, std::uint64_t seed, std::size_t jobs,
                const std::function<bool()>& stopped);

    // Takes account of another vector of multipliers.
    void add(const MaskedSets& sets, const Clusters& vector, std::size_t jobs,
             const Checkpoint& checkpoint = {});

    // How many nodes survive all vectors so far.
    double expected_nodes() const;
    // Some that do, none of which counted for the expectation.
    std::vector<PlacedSample> survivors(std::size_t most) const;

 private:
    struct Sample {
        PlacedSample placed;
        double bound;  // the best h(placed), nats
    };
    bool survives(const Sample& sample) const { return sample.placed.cost + sample.bound < limit_; }

    std::size_t n_;
    double limit_;
    std::vector<std::vector<Sample>> by_size_;
};

}  // namespace anytimebn
