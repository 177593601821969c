#include "base/team.h"

#include <new>
#include <system_error>

namespace anytimebn {
namespace {

// Waits until the value is another one. Mostly that takes microseconds, in which a thread that
// sleeps is not even asleep.
void wait_for_change(const std::atomic<std::uint32_t>& value, std::uint32_t before) {
    constexpr int looks = 4096;
    for (int look = 0; look < looks; ++look) {
        if (value.load(std::memory_order_acquire) != before) return;
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#endif
    }
    value.wait(before, std::memory_order_acquire);
}

}  // namespace

Team::Team(std::size_t threads) {
    try {
        helpers_.reserve(threads);
        while (helpers_.size() + 1 < threads) helpers_.emplace_back([this] { help(); });
    } catch (const std::system_error&) {
        // No memory for another thread, or no more are allowed: those that there are do all of it.
    } catch (const std::bad_alloc&) {
    }
}

Team::~Team() {
    over_ = true;
    ++round_;
    round_.notify_all();
    for (auto& helper : helpers_) helper.join();
}

void Team::run(std::size_t count, const std::function<void(std::size_t task)>& body) {
    body_ = &body;
    count_ = count;
    failure_ = nullptr;
    next_ = 0;
    working_ = static_cast<std::uint32_t>(helpers_.size());
    ++round_;
    round_.notify_all();
    work();
    for (std::uint32_t left; (left = working_.load(std::memory_order_acquire)) != 0;)
        wait_for_change(working_, left);
    if (failure_) std::rethrow_exception(failure_);
}

void Team::help() {
    for (std::uint32_t seen = 0;; ++seen) {
        wait_for_change(round_, seen);
        if (over_) return;
        work();
        if (--working_ == 0) working_.notify_one();
    }
}

void Team::work() {
    try {
        for (std::size_t task; (task = next_.fetch_add(1)) < count_;) (*body_)(task);
    } catch (...) {
        const std::lock_guard lock(failure_mutex_);
        if (!failure_) failure_ = std::current_exception();
        next_ = count_;
    }
}

}  // namespace anytimebn
