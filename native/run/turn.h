// Whose turn it is when several work on one run: work that is held waits, with all that it has,
// where it asks whether to go on, until it is its turn again.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace anytimebn {

class Turn {
 public:
    void hold() { held_.store(true, std::memory_order_relaxed); }
    void go_on() {
        {
            const std::lock_guard lock(mutex_);
            held_.store(false, std::memory_order_relaxed);
        }
        changed_.notify_all();
    }
    bool held() const { return held_.load(std::memory_order_relaxed); }

    // For any thread. Who waits still asks now and then whether everything is over.
    template <class Over>
    void wait(const Over& over) {
        if (!held()) return;
        constexpr std::chrono::milliseconds from_look_to_look{5};
        std::unique_lock lock(mutex_);
        while (held() && !over()) changed_.wait_for(lock, from_look_to_look);
    }

 private:
    std::atomic<bool> held_ = false;
    std::mutex mutex_;
    std::condition_variable changed_;
};

}  // namespace anytimebn
