#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace anytimebn {

void parallel_for(std::size_t count, std::size_t jobs,
                  const std::function<void(std::size_t task, std::size_t worker)>& body) {
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failure_mutex;
    const auto work = [&](std::size_t worker) {
        try {
            for (std::size_t task; (task = next.fetch_add(1)) < count;) body(task, worker);
        } catch (...) {
            const std::lock_guard lock(failure_mutex);
            if (!failure) failure = std::current_exception();
            next.store(count);
        }
    };
    std::vector<std::thread> helpers;
    for (std::size_t worker = 1; worker < std::min(jobs, count); ++worker)
        helpers.emplace_back(work, worker);
    work(0);
    for (auto& helper : helpers) helper.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace anytimebn
