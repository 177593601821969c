// Work whose amount grows with the problem, divided: it counts what it does, and once in a while
// asks whether to go on. If not, it is given up by an exception, so that whatever was being made is
// not there, and nobody has to handle halves. Whoever can do without it catches that.
//
// Copies count for themselves: each thread, and each stage, has its own.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <utility>

namespace anytimebn {

struct WorkStopped : std::exception {
    const char* what() const noexcept override { return "the work was stopped"; }
};

class Checkpoint {
 public:
    // Looking at one parent set is a unit of work: some milliseconds from one question to the next.
    static constexpr std::uint64_t units_between = std::uint64_t{1} << 16;

    Checkpoint() = default;  // never gives up
    explicit Checkpoint(std::function<bool()> stopped) : stopped_(std::move(stopped)) {}

    // To be called with each part of the work; throws WorkStopped when it is to end.
    void operator()(std::uint64_t units = 1) {
        if (units < left_)
            left_ -= units;
        else {
            left_ = units_between;
            ask();
        }
    }
    // At once, whatever was done so far.
    void ask() const {
        if (stopped_ && stopped_()) throw WorkStopped();
    }

 private:
    std::function<bool()> stopped_;
    std::uint64_t left_ = units_between;
};

}  // namespace anytimebn
