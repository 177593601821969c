#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
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
    const std::size_t workers = std::min(jobs, count);
    std::vector<std::thread> helpers;
    try {
        helpers.reserve(workers);
        while (helpers.size() + 1 < workers) helpers.emplace_back(work, helpers.size() + 1);
    } catch (const std::system_error&) {
        // No memory for another thread, or no more are allowed: those that there are do all of it.
    } catch (const std::bad_alloc&) {
    }
    work(0);
    for (auto& helper : helpers) helper.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace anytimebn
