// Everything that can end a search early, behind one question asked once an expansion: time,
// memory, work, the gap that was asked for, and the caller's wish. The deadline logic is written
// here alone. One thread works with a budget; others may look at what it has used, so that counts
// are atomic but need no locked instructions.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <string>

#include "base/checkpoint.h"
#include "base/control.h"
#include "run/disk_space.h"
#include "run/turn.h"

namespace anytimebn {

enum class Status { running, optimal, gap, time, memory, disk, expansions, interrupted, finished };

const char* status_name(Status status);

struct Limits {
    double seconds = std::numeric_limits<double>::infinity();
    std::uint64_t memory_bytes = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t expansions = std::numeric_limits<std::uint64_t>::max();
    std::string disk;  // the folder where nodes go when memory ends, if there is one
    std::uint64_t disk_bytes = std::numeric_limits<std::uint64_t>::max();
    double gap = 0;  // stop when cost <= (1 + gap) * lower bound
    // For tests: be interrupted at the k-th check; refuse memory when asked for the k-th time, and
    // the k-th write to disk.
    std::uint64_t stop_at_check = 0, refuse_memory_at = 0, refuse_disk_at = 0;
    double hidden_cost = 0;  // by which rounding may have changed that of a network
};

class Budget {
 public:
    Budget(Limits limits, const Control& control) : Budget(limits, control, Clock::now()) {}

    // One for another thread, with the same limits, clock and stop flag, and counts of its own.
    Budget beside() const { return Budget(limits_, control_, start_); }

    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
    const Limits& limits() const { return limits_; }

    // To be asked before each unit of work. Looks at the clock and the stop flag once in a while
    // only, after some milliseconds as far as the units before tell; `reason()` tells what ended
    // the budget.
    bool exhausted() {
        if (reason() != Status::running) return true;
        ++checks_;
        if (limits_.stop_at_check != 0 && checks_ >= limits_.stop_at_check)
            end(Status::interrupted);
        else if (checks_ >= next_look_)
            look_around_rarely();
        return reason() != Status::running;
    }
    // The same for work that takes milliseconds.
    bool exhausted_now() {
        if (!exhausted()) look_around();
        return reason() != Status::running;
    }

    // Counts one expansion; false when there may be none.
    bool expand() {
        if (expanded() >= limits_.expansions) {
            end(Status::expansions);
            return false;
        }
        expanded_.store(expanded() + 1, std::memory_order_relaxed);
        return true;
    }
    // The same for many at once, known only after they were expanded.
    bool expand(std::uint64_t count) {
        if (count > limits_.expansions - expanded()) {
            expanded_.store(limits_.expansions, std::memory_order_relaxed);
            end(Status::expansions);
            return false;
        }
        expanded_.store(expanded() + count, std::memory_order_relaxed);
        return true;
    }
    std::uint64_t expanded() const { return expanded_.load(std::memory_order_relaxed); }

    // Memory is asked for before it is taken; a refusal ends the search.
    bool allow_memory(std::uint64_t total_bytes) {
        if (has_memory(total_bytes)) return true;
        end(Status::memory);
        return false;
    }
    // The same for who can do without.
    bool has_memory(std::uint64_t total_bytes) {
        constexpr auto impossible = std::numeric_limits<std::uint64_t>::max();
        const bool refused = limits_.refuse_memory_at != 0 && ++asked_ == limits_.refuse_memory_at;
        return !refused && total_bytes <= limits_.memory_bytes && total_bytes != impossible;
    }
    DiskSpace& disk() { return disk_; }
    const DiskSpace& disk() const { return disk_; }
    // What it is called when there is room for no more nodes.
    Status no_room() const { return disk_.enabled() ? Status::disk : Status::memory; }

    // Whether time or the caller's wish ended it; for any thread, and without counting.
    bool over() const {
        return reason() != Status::running || control_.stopped() || seconds() >= limits_.seconds;
    }
    // Others may share the cores. Work that is held waits where it looks at the clock; threads that
    // help with it ask for themselves, and the same holds for all of them: no lock may be held.
    Turn& turn() { return turn_; }
    void wait_for_turn() {
        turn_.wait([this] { return over(); });
    }
    // For work of the thread that has this budget, and for that of others.
    Checkpoint checkpoint() {
        return Checkpoint([this] { return exhausted_now(); });
    }
    Checkpoint checkpoint_of_others() const {
        return Checkpoint([this] { return over(); });
    }
    // For what is worth a short wait after the end, as a certificate of what was found is.
    Checkpoint last_words() const {
        return Checkpoint([this, begin = seconds()] {
            constexpr double longest_wait = 0.2;
            return over() && seconds() - begin > longest_wait;
        });
    }

    void end(Status reason) {
        if (this->reason() == Status::running) reason_.store(reason, std::memory_order_relaxed);
    }
    Status reason() const { return reason_.load(std::memory_order_relaxed); }

 private:
    using Clock = std::chrono::steady_clock;

    Budget(Limits limits, const Control& control, Clock::time_point start)
        : limits_(limits),
          control_(control),
          start_(start),
          disk_(limits.disk, limits.disk_bytes, limits.refuse_disk_at) {}

    void look_around_rarely() {
        constexpr double wanted = 0.005;  // seconds from look to look
        const double now = seconds();
        if (now - last_look_ > 2 * wanted)
            look_every_ = std::max<std::uint64_t>(1, look_every_ / 4);
        else if (now - last_look_ < wanted)
            look_every_ = std::min<std::uint64_t>(256, look_every_ * 2);
        last_look_ = now;
        next_look_ = checks_ + look_every_;
        look_around();
    }
    void look_around() {
        wait_for_turn();
        if (control_.stopped())
            end(Status::interrupted);
        else if (seconds() >= limits_.seconds)
            end(Status::time);
    }

    Limits limits_;
    const Control& control_;
    Clock::time_point start_;
    DiskSpace disk_;
    Turn turn_;
    std::atomic<Status> reason_ = Status::running;
    std::uint64_t checks_ = 0, next_look_ = 1, look_every_ = 1;
    std::uint64_t asked_ = 0;  // for memory; counted in tests only
    double last_look_ = 0;
    std::atomic<std::uint64_t> expanded_ = 0;
};

}  // namespace anytimebn
