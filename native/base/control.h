// One native call and the thread that watches it: a stop flag, progress, and a clock.
// The watcher polls; the worker never calls back, so native code needs to know nothing of Python.
#pragma once

#include <atomic>
#include <cstdint>

namespace anytimebn {

class Control {
 public:
    void stop() { stop_.store(true, std::memory_order_relaxed); }
    bool stopped() const { return stop_.load(std::memory_order_relaxed); }

    void begin(double total_work) {
        total_work_.store(total_work, std::memory_order_relaxed);
        done_work_.store(0, std::memory_order_relaxed);
    }
    void advance(double work) {
        if (stopped()) return;  // what ends early is not done
        double done = done_work_.load(std::memory_order_relaxed);
        while (!done_work_.compare_exchange_weak(done, done + work, std::memory_order_relaxed)) {
        }
    }
    double fraction_done() const {
        const double total = total_work_.load(std::memory_order_relaxed);
        return total > 0 ? done_work_.load(std::memory_order_relaxed) / total : 0;
    }

 private:
    std::atomic<bool> stop_{false};
    std::atomic<double> total_work_{0};
    std::atomic<double> done_work_{0};
};

}  // namespace anytimebn
